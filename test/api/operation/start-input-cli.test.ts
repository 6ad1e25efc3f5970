/** What a session can be started with: the rare options in one object, null for what is left out, in both families. */
import { expect, test } from 'vitest'
import { start } from '../../../src/api/claude/start.ts'
import { status } from '../../../src/api/claude/status.ts'
import { create } from '../../../src/api/claudecode/create.ts'
import type { Context, Operation } from '../../../src/api/operation/operation.ts'
import { startOptionsText } from '../../../src/api/resources/start-options.ts'
import { START_SHAPE } from '../../../src/api/operation/start-input.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { say } from '../../../src/demo/scenario.ts'
import { errorPayload } from '../../../src/transports/error-response.ts'
import { type EngineRig, ME, startEngine } from '../../rig/hubs/engines.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'

const contextOf = (rig: EngineRig): Context => ({
  engine: rig.as(MODEL),
  call: { caller: MODEL },
  workingDirectory: rig.project,
})

async function started(rig: EngineRig, input: object): Promise<{ hint: string; session: Session }> {
  const told = (await start.call(contextOf(rig), { prompt: 'go', ...input })) as {
    sessionId: string
    hint: string
  }
  const session = rig.track(await rig.engine.getSession(ME, { sessionId: told.sessionId }))
  return { hint: told.hint, session }
}

async function created(rig: EngineRig, input: object): Promise<{ hint?: string; session: Session }> {
  const told = (await create.call(contextOf(rig), input)) as { id: string; hint?: string }
  return { ...told, session: rig.track(await rig.engine.getSession(ME, { sessionId: told.id })) }
}

test('an option is taken in options, and beside them with a hint', async () => {
  const rig = await startEngine('here on memory', { main: [say('done'), say('done')] })
  const inside = await started(rig, { options: { maxTurns: 3, timeoutSeconds: 7, effort: null } })
  expect(inside.session).toMatchObject({ timeoutMs: 7_000, config: { maxTurns: 3 } })
  expect(inside.hint).not.toContain('options')
  const beside = await started(rig, { maxTurns: 3, timeoutSeconds: 7 })
  expect(beside.session).toMatchObject({ timeoutMs: 7_000, config: { maxTurns: 3 } })
  expect(beside.hint).toMatch(/^Give maxTurns, timeoutSeconds in options: .* until 0\.4 only\./)
  const second = await created(rig, { loopback_enabled: true, options: { max_turns: 3 } })
  expect(second.session.config.maxTurns).toBe(3)
  expect(second.hint).toBeUndefined()
  expect((await created(rig, { max_turns: 3, working_directory: rig.project })).hint).toContain('max_turns')
})

test('what is wrong with an option is said with the name that was used, and all options', async () => {
  const rig = await startEngine('here on memory')
  const wrong: [operation: Operation, input: object, field: string, sentence: RegExp][] = [
    [
      start,
      { options: { maxTurns: 'x' } },
      'options.maxTurns',
      /options\.maxTurns must be.*addDirs.*worktree/,
    ],
    [start, { maxTurns: 'x' }, 'maxTurns', /^maxTurns must be.*addDirs.*worktree/],
    [start, { options: { colour: 1 } }, '', /no option colour.*addDirs.*worktree.*plexus:\/\/start-options/],
    [start, { options: 'x' }, 'options', /options must be an object/],
    [start, { colour: 1 }, '', /no field colour.*prompt.*options/],
    [start, { maxTurns: 1, options: { maxTurns: 2 } }, 'maxTurns', /maxTurns is given twice/],
    [start, { prompt: '' }, 'prompt', /prompt may not be empty/],
    [start, { prompt: [{ type: 'tool_result' }] }, 'prompt', /prompt must be text/],
    [create, { options: { max_turns: 'x' } }, 'options.max_turns', /options\.max_turns must be.*add_dirs/],
    [create, { options: { maxTurns: 1 } }, '', /no option maxTurns.*max_turns/],
  ]
  for (const [operation, input, field, sentence] of wrong) {
    const given = operation === start ? { prompt: 'go', ...input } : input
    const error: unknown = await operation.call(contextOf(rig), given).catch((cause: unknown) => cause)
    expect(errorPayload(error, operation)).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(sentence) as string,
      ...(field === '' ? {} : { field }),
    })
  }
})

test('null is as good as left out wherever something may be left out, and nowhere else', async () => {
  const rig = await startEngine('here on memory', { main: [say('done')] })
  const nulls = Object.fromEntries(Object.keys(START_SHAPE).map((name) => [name, null]))
  const source = { type: 'base64', media_type: 'image/png', data: 'eA==', url: null }
  const prompt = [
    { type: 'text', text: 'go', source: null, title: null },
    { type: 'image', text: null, source, title: null },
  ]
  await started(rig, { ...nulls, prompt, options: null, waitSeconds: null })
  await status.call(contextOf(rig), { sessionId: null, waitSeconds: 0, afterSeq: null, outputLines: null })
  await expect(start.call(contextOf(rig), { prompt: null })).rejects.toMatchObject({
    data: { field: 'prompt' },
  })
})

test('the resource describes every option, with the name that it has in each family', () => {
  const described = JSON.parse(startOptionsText()) as Record<string, object>
  expect(Object.keys(described)).toEqual(Object.keys(START_SHAPE))
  expect(described['maxTurns']).toMatchObject({
    inClaudecodeCreate: 'max_turns',
    place: 'in options',
    type: 'integer',
    description: expect.any(String) as string,
  })
})
