import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { supervise } from '../../rig/hubs/supervised.ts'

test('a question is asked, allowed, and the tool runs', async () => {
  const session = await supervise({
    scenario: { main: [tools(use('Bash', { command: 'echo hi > asked.txt' })), say('all done')] },
  })
  const opened = await session.event('approval.opened')
  expect(opened).toMatchObject({ kind: 'tool', toolName: 'Bash', input: { command: 'echo hi > asked.txt' } })
  await session.allow(opened)
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'all done' })
  expect(await readFile(join(session.project, 'asked.txt'), 'utf8')).toBe('hi\n')
})
