import { resolve } from 'node:path'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { labelOf } from '../../command-line/views/session-words.ts'
import { StartOptions } from '../../child/launch/start-options.ts'
import { parseInput } from '../../base/parse-input.ts'

/** Starts a session and returns: its questions wait for plexus pending. */
export async function run({ args, flags, out, hub }: CommandCall): Promise<void> {
  const { engine, context } = await hub('changes')
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
  const session = await engine.createSession(context, { options, content, answerers })
  if (out.isJson) return out.json({ id: session.id, ...given('name', session.name) })
  out.line(flags.isSet('quiet') || !out.isTerminal ? session.id : labelOf(session))
  if (!out.isTerminal || flags.isSet('quiet')) return
  out.say(
    `It works in ${options.workingDirectory}. plexus logs -f ${labelOf(session)} follows it; plexus pending shows what it asks.`,
  )
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value }
}
