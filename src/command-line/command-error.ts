import { AppError } from '../base/errors.ts'
import { redact } from '../base/log.ts'
import { visibleJson } from '../text/visible-json.ts'
import { wordLines } from '../text/word-lines.ts'
import { visibleText } from '../text/visible-text.ts'
import { exitCodeOf } from '../transports/error-response.ts'
import { Interrupted } from './terminal/ask-person.ts'
import { MissingHub } from './missing-hub.ts'

/** As a shell reports Ctrl-C. */
const INTERRUPTED = 130

interface CommandError {
  readonly exitCode: number
  readonly code: string
  readonly message: string
}

/** The error of a command: one sentence, never a stack trace. */
function commandError(error: unknown): CommandError {
  if (error instanceof MissingHub) return { exitCode: 4, code: 'no_hub', message: error.message }
  const message = redact(error instanceof Error ? error.message : String(error))
  return { exitCode: exitCodeOf(error), code: error instanceof AppError ? error.code : 'internal', message }
}

/** As JSON in one line where `--json` was given. */
export function printError(error: unknown, isJson: boolean): number {
  if (error instanceof Interrupted) return INTERRUPTED
  const { exitCode, code, message } = commandError(error)
  if (isJson) process.stderr.write(`${visibleJson({ v: 1, error: { code, message } })}\n`)
  else process.stderr.write(`${errorLines(`plexus: ${visibleText(message)}`).join('\n')}\n`)
  return exitCode
}

/** On a terminal it is broken between words. */
function errorLines(text: string): string[] {
  const { isTTY, columns } = process.stderr
  return isTTY && columns > 0 ? wordLines(text, columns - 1) : [text]
}
