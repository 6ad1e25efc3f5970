import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { type Key, UNREAD_MS } from '../../command-line/follow/follow-state.ts'
import { readKeys } from '../../command-line/follow/terminal-keys.ts'

/** Whether the person says yes: by `--yes`, or by a key. Where nobody can be asked, nothing is done. */
export async function confirm(
  question: string,
  { out, flags }: Pick<CommandCall, 'out' | 'flags'>,
): Promise<boolean> {
  if (flags.isSet('yes')) return true
  if (!out.mayPrompt || out.isJson)
    throw new AppError('invalid_input', 'Nobody can be asked here, so nothing was done; add --yes to do it.')
  process.stderr.write(`${question} [y/n] `)
  const isYes = await keyPressed()
  out.say(isYes ? 'y' : 'n\nNothing was changed.')
  return isYes
}

function keyPressed(): Promise<boolean> {
  const paintedAt = Date.now()
  return new Promise((resolve) => {
    const keys = readKeys(process.stdin, (key) => {
      const answer = answerOf(key, Date.now() - paintedAt)
      if (answer === undefined) return
      keys.close()
      resolve(answer)
    })
  })
}

/** A key that was pressed before the question could be read was meant for something else; Ctrl-C always counts. */
export function answerOf(key: Key, shownMs: number): boolean | undefined {
  if (key === 'ctrl-c') return false
  if (shownMs < UNREAD_MS) return undefined
  if (key === 'enter' || key === 'escape') return false
  const typed = typeof key === 'string' ? '' : key.text.toLowerCase()
  return typed === 'y' ? true : typed === 'n' ? false : undefined
}
