import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { supervise } from '../rig/supervised.ts'

const command = 'touch made'
const scenario = { main: [tools(use('Bash', { command })), say('done')] }

/** A hook of the user's own settings that answers in our place. */
const answersItself = async (_: string, config: string) => {
  const decision = { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } }
  const hook = { type: 'command', command: `echo '${JSON.stringify({ hookSpecificOutput: decision })}'` }
  const settings = { hooks: { PermissionRequest: [{ matcher: '', hooks: [hook] }] } }
  await mkdir(config, { recursive: true })
  await writeFile(join(config, 'settings.json'), JSON.stringify(settings))
}

test('S39: a question that a hook of the user answers is said to be answered elsewhere', async () => {
  const session = await supervise({ scenario, prepare: answersItself })
  await session.event('turn.ended')
  expect(session.all('approval.opened')).toMatchObject([{ input: { command } }])
  expect(session.all('approval.settled')).toMatchObject([{ status: 'withdrawn' }])
  expect(session.all('tool.unasked')).toMatchObject([{ toolName: 'Bash', cause: 'answered elsewhere' }])
  expect(await readFile(join(session.project, 'made'), 'utf8')).toBe('')
})
