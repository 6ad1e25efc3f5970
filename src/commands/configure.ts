import { z } from 'zod'
import { AppError, ERROR_CODES } from '../base/errors.ts'
import type { CommandCall } from '../command-line/command.ts'

/**
 * Prints what a claude command needs so that its questions are asked here: a line for a shell, or all of it as JSON. It holds a
 * token, so it goes to stdout and nowhere else.
 */
export async function run({ flags, out, hub }: CommandCall): Promise<void> {
  const { call } = await hub('changes')
  const name = flags.text('name')
  const place = { working_dir: process.cwd() }
  const result = await call('loopback.configure', name === undefined ? place : { ...place, name })
  const failed = Failed.safeParse(result).data
  if (failed) throw new AppError(failed.code, failed.message)
  if (out.isJson) return out.json({ ...Configuration.parse(result) })
  out.line(Configured.safeParse(result).data?.command ?? JSON.stringify(result))
}

/** The operations of this family return their errors. */
const Failed = z.object({
  type: z.literal('error'),
  code: z.enum(ERROR_CODES).catch('internal'),
  message: z.string(),
})
const Configuration = z.record(z.string(), z.unknown())
const Configured = z.object({ command: z.string() })
