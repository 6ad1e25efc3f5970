import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { question, seen, turn } from '../rig/cli/scripted-lines.ts'
import { supervise } from '../rig/hubs/supervised.ts'

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

const GIVEN_UP = { error: { message: expect.stringContaining('was not asked about') } }

/** What a CLI prints whose hooks are switched off: a call and its result, and nothing for us in between. */
const used = { type: 'tool_use', id: 'tool-1', name: 'Bash', input: { command } }
const ended = { type: 'tool_result', tool_use_id: 'tool-1', content: '' }
const unseen = turn(
  { line: { type: 'assistant', message: { id: 'm', content: [used] } } },
  { line: { type: 'user', message: { content: [ended] } } },
)

test('S24: a tool that ended and that our hook never saw is named', async () => {
  const session = await supervise({ script: unseen })
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
  expect(session.all('tool.unasked')).toMatchObject([{ toolName: 'Bash', cause: 'not seen' }])
})

test.each(['writes', 'all'] as const)('S24: under supervise %s it ends the run', async (supervision) => {
  const script = [...unseen.slice(0, -1), { await: 'for ever' }]
  const session = await supervise({ script, options: { supervise: supervision } })
  expect(await session.event('run.ended')).toMatchObject(GIVEN_UP)
  expect(session.all('tool.unasked')).toMatchObject([{ cause: 'not seen' }])
})

/** The same for a question that the child takes back because somebody else has answered it. */
const [asked = {}, , ran = {}] = question('q')
const answered = [asked, { line: { type: 'control_cancel_request', request_id: 'q' } }, ran]

test('S39: under supervise writes a question that somebody else answers ends the run', async () => {
  const steps = [...turn(seen('q', 'date'), ...answered).slice(0, -1), { await: 'for ever' }]
  const session = await supervise({ script: steps, options: { supervise: 'writes' } })
  expect(await session.event('run.ended')).toMatchObject(GIVEN_UP)
  expect(session.all('tool.unasked')).toMatchObject([{ cause: 'answered elsewhere' }])
})
