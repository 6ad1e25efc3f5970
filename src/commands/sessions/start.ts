import { resolve } from 'node:path'
import { definedFields } from '../../base/defined-fields.ts'
import { AppError } from '../../base/errors.ts'
import { screenOptions } from '../terminal/screen-options.ts'
import { budgetFrom } from '../../budgets/budget-from-text.ts'
import { parseInput } from '../../base/parse-input.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import type { CommandCall, FlagValues } from '../../command-line/command.ts'
import { followSession } from '../../command-line/follow/follow-session.ts'
import { secondsIn } from '../../text/time-text.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import { SessionId } from '../../base/ids.ts'

/** On a terminal it follows the session and asks there; otherwise it returns, and the questions wait for plexus pending. */
export async function run({ args, flags, env, out, hub }: CommandCall): Promise<void> {
  const options = parseInput(StartOptions, optionsIn(flags))
  const content = args.join(' ')
  if (content.trim() === '') throw new AppError('invalid_input', 'Say what to do: plexus start "what to do".')
  const timeout = flags.text('timeout')
  const resumed = flags.text('resume')
  const client = await hub('changes')
  const session = await client.engine.createSession(client.context, {
    options,
    content,
    answerers: flags.isSet('person') ? 'person' : undefined,
    timeoutMs: timeout === undefined ? undefined : secondsIn('--timeout', timeout) * 1_000,
    resume: resumed === undefined ? undefined : parseInput(SessionId, resumed),
  })
  if (out.isJson) return out.json({ id: session.id, ...definedFields({ name: session.name }) })
  if (out.mayPrompt && !flags.isSet('detach') && !flags.isSet('quiet'))
    await followSession(client, session, { ...screenOptions({ env, out }), after: 0 })
  else out.line(out.isTerminal && !flags.isSet('quiet') ? labelOf(session) : session.id)
}

/** The start options that the flags stand for; a conversation that is resumed has a folder already. */
function optionsIn(flags: FlagValues): Record<string, unknown> {
  const folder = flags.text('dir') ?? (flags.text('resume') === undefined ? process.cwd() : undefined)
  const limits = flags.text('budget')
  const addDirs = flags.texts('add-dir').map((dir) => resolve(dir))
  return {
    ...Object.fromEntries(flags.texts('option').map(optionOf)),
    ...definedFields({
      workingDirectory: folder === undefined ? undefined : resolve(folder),
      name: flags.text('name'),
      model: flags.text('model'),
      permissionMode: flags.text('mode'),
      supervise: flags.text('supervise'),
      budget: limits === undefined ? undefined : budgetFrom([limits]),
    }),
    ...(flags.isSet('nested') ? { nested: true } : {}),
    ...(flags.isSet('worktree') ? { worktree: true } : {}),
    ...(addDirs.length > 0 ? { addDirs } : {}),
  }
}

/** `maxTurns=5`; what is not JSON is text. */
function optionOf(text: string): [name: string, value: unknown] {
  const [, name, value = ''] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined)
    throw new AppError('invalid_input', '--option must be NAME=JSON, such as --option maxTurns=5.')
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}
