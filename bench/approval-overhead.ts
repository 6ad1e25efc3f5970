import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { join } from 'node:path'
import { OPTIONS } from '../src/approvals/question.ts'
import { openDatabase } from '../src/store/sqlite/connection/database.ts'
import { type Figure, inPairs, type Measure } from './harness/figure.ts'
import { Reader } from './harness/reader.ts'
import { operator, questionOf, toolResultOf, withTalkers } from './harness/talking-hub.ts'

let readAt = 0

export const figure: Figure = {
  id: 'P1',
  title: 'a question that was read, answered at once by who follows the session, until the answer is put',
  reference: '2 bare commits (WAL, FULL) and 1 bare loopback call',
  unit: 'ms',
  goal: { max: 2 },
  run: () =>
    withTalkers(
      async (hub, start) => {
        const talker = await start()
        const reader = new Reader(hub, talker.id)
        const bare = await bareOf(hub.folder)
        let asked = 0
        try {
          return await inPairs(
            300,
            async () => {
              const name = String(asked++)
              await talker.say(questionOf(name))
              const { approvalId } = await reader.event('approval.opened')
              await hub.engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
              const took = performance.now() - readAt
              await talker.say(toolResultOf(name))
              await reader.event('tool.finished') // so that nothing of it falls into the reference
              return took
            },
            bare.work,
          )
        } finally {
          bare.close()
        }
      },
      (moment, events) => {
        if (moment === 'before-commit' && events.some(({ type }) => type === 'approval.opened'))
          readAt = performance.now()
      },
    ),
}

async function bareOf(folder: string): Promise<{ work: Measure; close: () => void }> {
  const body = JSON.stringify(questionOf('bare'))
  const database = openDatabase(join(folder, 'bare.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (body TEXT)')
  const insert = database.prepare('INSERT INTO rows VALUES (?)')
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const agent = new Agent({ keepAlive: true })
  return {
    work: async () => {
      insert.run(body)
      const [response] = await once(
        request({ host: '127.0.0.1', port, method: 'POST', agent }).end(body),
        'response',
      )
      await once(response.resume(), 'end')
      insert.run(body)
    },
    close: () => {
      agent.destroy()
      server.close()
      database.close()
    },
  }
}
