import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { findQuestion } from '../../command-line/find-question.ts'
import { questionId, questionJson } from '../../command-line/views/question-views.ts'
import { span } from '../../command-line/views/session-words.ts'

export async function run({ args: [id = ''], flags, out, hub }: CommandCall): Promise<void> {
  const client = await hub('changes')
  const time = flags.text('for')
  const { id: approvalId } = await findQuestion(client, id)
  const question = await client.engine.extend(client.context, {
    approvalId,
    seconds: time === undefined ? undefined : secondsOf(time),
  })
  if (out.isJson) return out.json({ question: questionJson(question) })
  out.say(`${questionId(question)} waits ${span((question.expiresAt ?? 0) - Date.now())} from now.`)
}

/** `90`, `90s`, `10m` or `2h`. */
export function secondsOf(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,6})([smh])?$/.exec(text) ?? []
  const seconds = Number(number) * (UNITS.get(unit) ?? 0)
  if (seconds > 0) return seconds
  throw new AppError('invalid_input', '--for must be a time such as 90s, 10m or 2h.')
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
])
