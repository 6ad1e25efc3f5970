import { AppError } from '../base/errors.ts'
import type { CommandCall } from '../command-line/command.ts'
import { tour } from '../command-line/tour/tour.ts'

const INTERRUPTED = 130

/** The tour. Whatever ends it, nothing that it started is left: a second Ctrl-C does not cut that short. */
export async function run({ env, out }: CommandCall): Promise<number> {
  if (out.isJson) throw new AppError('invalid_input', 'plexus demo is for a person to read; omit --json.')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())
  out.whenClosed(() => stop.abort())
  try {
    await tour({ env, out, stop })
    return 0
  } catch (error) {
    if (!stop.signal.aborted) throw error
    out.say('You ended the tour; nothing of it is left.')
    return INTERRUPTED
  }
}
