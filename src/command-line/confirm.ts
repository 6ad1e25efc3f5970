import { createInterface } from 'node:readline/promises'
import { AppError } from '../base/errors.ts'
import type { Output } from './output.ts'

/** Asks a person for a yes. Where nobody can be asked, `--yes` is the answer, and without it nothing is done. */
export async function confirm(question: string, out: Output, isYes: boolean): Promise<boolean> {
  if (isYes) return true
  if (!out.mayPrompt)
    throw new AppError(
      'invalid_input',
      'Nobody can be asked here, so nothing was done; repeat it with --yes.',
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Ctrl-D and Ctrl-C close it without an answer.
    const left = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
    const said = await Promise.race([terminal.question(`${question} [y/N] `), left])
    return /^y(es)?$/i.test(said.trim())
  } finally {
    terminal.close()
  }
}
