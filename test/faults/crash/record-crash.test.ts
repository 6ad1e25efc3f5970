import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordItems } from '../../../src/audit/record-items.ts'
import type { RecordRow } from '../../../src/audit/record-row.ts'
import { RecordCheck } from '../../../src/audit/verify-record.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { readRecordFile } from '../../../src/store/sqlite/read-record.ts'
import type { Crash } from '../../programs/supervisor.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

const copy = (name: string) => use('Bash', { command: `cp ran.txt ${name}` })
const append = (text: string) => use('Bash', { command: `echo ${text} >> ran.txt` })

/** Between a decision, its row and its delivery, each hit at another call. */
const points: Crash[] = [
  { point: 'before-commit', event: 'approval.opened', nth: 1 },
  { point: 'before-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-commit', event: 'tool.finished', nth: 1 },
]

/** The rows of the record, once its chain was checked. */
async function soundRecord(database: string): Promise<RecordRow[]> {
  const check = new RecordCheck()
  const rows: RecordRow[] = []
  await readRecordFile(database, async (record) => {
    for await (const items of recordItems(record))
      for (const item of items) {
        check.add(item)
        if ('row' in item) rows.push(item.row)
      }
  })
  if (check.report().broken) throw new Error('The record is broken.')
  return rows
}

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
  const rows = await soundRecord(session.database)
  const ids = session.all('approval.opened').map(({ approvalId }) => approvalId)
  expect(ids).toHaveLength(calls.length)
  for (const id of ids) {
    const kinds = rows.filter(({ body }) => body.includes(`"approvalId":"${id}"`)).map(({ kind }) => kind)
    expect(kinds).toEqual(['asked', 'settled', 'delivered', 'ran'])
  }
  expect(rows.filter(({ kind }) => kind === 'session-started')).toHaveLength(1)
})

const RULES = {
  v: 1,
  rules: [
    { id: 'notes', effect: 'allow', command: 'echo *', redirect: 'inside' },
    { id: 'copies', effect: 'deny', command: 'cp *', because: 'No copies.' },
  ],
}
/** Around what a rule decides: the question with its answer is one step, a denial of our hook another. */
const ruled: Crash[] = [
  { point: 'before-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-commit', event: 'approval.settled', nth: 1 },
  { point: 'after-put', event: 'approval.opened', nth: 1 }, // with its answer
  { point: 'before-commit', event: 'tool.seen', nth: 1 },
  { point: 'after-commit', event: 'tool.seen', nth: 1 },
  { point: 'after-put', event: 'tool.seen', nth: 2 },
  { point: 'before-commit', event: 'tool.finished', nth: 1 },
]

test('I21: killed around decisions of rules, each has one row of each kind, and each call has one end', async () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const main = [...letters.flatMap((letter) => [tools(append(letter)), tools(copy(letter))]), say('done')]
  const session = await supervise({
    scenario: { main },
    answer: 'hold',
    crash: ruled[0]!,
    prepare: (project) => writeFile(join(project, '../plexus-home/rules.json'), JSON.stringify(RULES)),
  })
  for (const crash of ruled.slice(1)) {
    expect(await session.ended()).toBe('SIGKILL')
    await session.start({ crash })
  }
  expect(await session.ended()).toBe('SIGKILL')
  await session.start()
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(await readFile(join(session.project, 'ran.txt'), 'utf8')).toBe(`${letters.join('\n')}\n`)
  const rows = await soundRecord(session.database)
  const bodies = rows.map(({ kind, body }) => ({ kind, ...(JSON.parse(body) as Record<string, unknown>) }))
  const kindsOf = (field: string, value: unknown) =>
    bodies.flatMap((row) =>
      Object.entries(row).some(([name, own]) => name === field && own === value) ? row.kind : [],
    )
  const ids = session.all('approval.opened').map(({ approvalId }) => approvalId)
  expect(ids).toHaveLength(letters.length)
  for (const id of ids) expect(kindsOf('approvalId', id)).toEqual(['asked', 'settled', 'delivered', 'ran'])
  const denied = bodies.filter(({ kind }) => kind === 'hook-denied')
  expect(denied.map((row) => (row as { input?: { command?: string } }).input?.command)).toEqual(
    letters.map((letter) => `cp ran.txt ${letter}`),
  )
})
