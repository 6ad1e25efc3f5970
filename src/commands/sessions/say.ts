import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import { inCommandWords } from '../../command-line/command-words.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { Command } from '../../events/session-event.ts'

export async function run({ args: [sessionId = '', ...words], flags, out, hub }: CommandCall): Promise<void> {
  const command = commandIn(flags.text('command'))
  if ((command === undefined) === (words.length === 0))
    throw new AppError('invalid_input', 'Say either a prompt or --command: plexus say SESSION "the prompt".')
  if (command === undefined && words.join('').trim() === '')
    throw new AppError('invalid_input', 'The message is empty; say what the session should do.')
  const { engine, context } = await hub('changes')
  const said = await engine.startTurn(context, {
    sessionId,
    ...(command === undefined ? { content: words.join(' ') } : { command }),
  })
  if (out.isJson) return out.json(said)
  out.say(
    said.queued
      ? 'The session is at work; it reads this after its next call, or when its turn is over.'
      : 'The turn has begun.',
  )
  if (said.hint !== undefined) out.say(inCommandWords(said.hint))
}

function commandIn(text: string | undefined): Command | undefined {
  return text === undefined ? undefined : parseInput(Command, text)
}
