import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * How well a child is protected by what it was started with: flags, environment, settings, the first messages. A process
 * keeps those for as long as it lives, so one that an earlier hub started may have less than it would have today. The number
 * grows whenever something is added that a living process cannot be given:
 *
 * 1. What 0.1.0 had; it noted no number.
 * 2. No scheduled prompts, and no other way by which a folder or a prompt makes the CLI act before anybody is asked.
 */
export const PROTECTION = 2

/** The name of the note in the run folder. */
export const PROTECTION_NOTE = 'protection'

/** Of a run that some hub started; a note that makes no sense is none. */
export async function protectionOf(runPath: string): Promise<number> {
  const text = await readFile(join(runPath, PROTECTION_NOTE), 'utf8').catch(() => '')
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : UNNOTED
}

const UNNOTED = 1
