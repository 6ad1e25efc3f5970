import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * How well a child is protected by its flags, environment, settings and first messages. A process keeps those for as long
 * as it lives, so a process that an earlier hub started may have less protection than a new process. The number grows whenever
 * something is added that a living process cannot be given:
 *
 * 1. The protection of 0.1.0, which noted no number.
 * 2. No scheduled prompts, and no other way by which a folder or a prompt makes the CLI act before anybody is asked.
 */
export const PROTECTION = 2

/** The name of the note in the run folder. */
export const PROTECTION_NOTE = 'protection'

/** The protection level of a run that any hub started; an invalid note counts as none. */
export async function protectionOf(runPath: string): Promise<number> {
  const text = await readFile(join(runPath, PROTECTION_NOTE), 'utf8').catch(() => '')
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : WITHOUT_NOTE
}

const WITHOUT_NOTE = 1
