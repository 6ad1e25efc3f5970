import { AppError } from '../base/errors.ts'
import { redact } from '../base/log.ts'
import { visibleJson } from '../text/visible-json.ts'
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
  process.stderr.write(
    isJson ? `${visibleJson({ v: 1, error: { code, message } })}\n` : `plexus: ${visibleText(message)}\n`,
  )
  return exitCode
}
