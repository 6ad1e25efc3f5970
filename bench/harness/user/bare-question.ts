import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { join } from 'node:path'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { questionOf } from '../talking-hub.ts'

export interface BareQuestions {
  readonly ask: () => Promise<void>
  readonly close: () => void
}

/** The least that a question takes: it is committed (WAL, FULL), shown by a call over the loopback, and its answer committed. */
export async function bareQuestions(folder: string): Promise<BareQuestions> {
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
    ask: async () => {
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
