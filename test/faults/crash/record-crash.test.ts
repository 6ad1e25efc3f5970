import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordItems } from '../../../src/audit/record-items.ts'
import type { RecordRow } from '../../../src/audit/record-row.ts'
import { RecordCheck } from '../../../src/audit/verify-record.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { readRecordFile } from '../../../src/store/sqlite/read-record.ts'
import type { Crash } from '../../programs/supervisor.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

const append = (text: string) => use('Bash', { command: `echo ${text} >> ran.txt` })

/** Between a decision, its row and its delivery, each hit at another call. */
const points: Crash[] = [
  { point: 'before-commit', event: 'approval.opened', nth: 1 },
  { point: 'before-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-commit', event: 'tool.finished', nth: 1 },
]

test('I21: killed between decision, record and delivery, no answer is without its row and no row is doubled', async () => {
  const calls = ['a', 'b', 'c', 'd', 'e']
  const main = [...calls.map((call) => tools(append(call))), say('done')]
  const session = await supervise({ scenario: { main }, answer: 'allow', crash: points[0]! })
  for (const crash of points.slice(1)) {
    expect(await session.ended()).toBe('SIGKILL')
    await session.start({ crash })
  }
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(await readFile(join(session.project, 'ran.txt'), 'utf8')).toBe('a\nb\nc\nd\ne\n')
  const check = new RecordCheck()
  const rows: RecordRow[] = []
  await readRecordFile(session.database, async (record) => {
    for await (const items of recordItems(record))
      for (const item of items) {
        check.add(item)
        if ('row' in item) rows.push(item.row)
      }
  })
  expect(check.report().broken).toBeUndefined()
  const ids = session.all('approval.opened').map(({ approvalId }) => approvalId)
  expect(ids).toHaveLength(calls.length)
  for (const id of ids) {
    const kinds = rows.filter(({ body }) => body.includes(`"approvalId":"${id}"`)).map(({ kind }) => kind)
    expect(kinds).toEqual(['asked', 'settled', 'delivered', 'ran'])
  }
  expect(rows.filter(({ kind }) => kind === 'session-started')).toHaveLength(1)
})
