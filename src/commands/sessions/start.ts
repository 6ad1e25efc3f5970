import { resolve } from 'node:path'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { followSession } from '../../command-line/follow/follow-session.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import { screenOptions } from '../terminal/screen-options.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import { parseInput } from '../../base/parse-input.ts'

/** On a terminal it follows the session and asks there; otherwise it returns, and the questions wait for plexus pending. */
export async function run({ args, flags, env, out, hub }: CommandCall): Promise<void> {
  const client = await hub('changes')
  const options = parseInput(StartOptions, {
    workingDirectory: resolve(flags.text('dir') ?? process.cwd()),
    ...given('name', flags.text('name')),
    ...given('model', flags.text('model')),
    ...given('permissionMode', flags.text('mode')),
    ...given('supervise', flags.text('supervise')),
  })
  const content = args.join(' ')
  if (content.trim() === '') throw new AppError('invalid_input', 'Say what to do: plexus start "what to do".')
  const answerers = flags.isSet('person') ? 'person' : undefined
  const session = await client.engine.createSession(client.context, { options, content, answerers })
  if (out.isJson) return out.json({ id: session.id, ...given('name', session.name) })
  if (out.mayPrompt && !flags.isSet('detach') && !flags.isSet('quiet'))
    return followSession(client, session, { ...screenOptions({ env, out }), after: 0 })
  out.line(out.isTerminal && !flags.isSet('quiet') ? labelOf(session) : session.id)
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}
