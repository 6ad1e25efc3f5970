import { z } from 'zod'
import type { Answered } from '../../approvals/approval.ts'
import { shortText } from './shorten-text.ts'

/** What an answer repeats of what was remembered by it, in both families. */
export const KeptView = z
  .looseObject({ call: z.string(), folder: z.string().optional(), rules: z.array(z.string()) })
  .describe('What needs no answer any more: the call, in its folder, and what the rules match.')
export type KeptView = z.infer<typeof KeptView>

export function keptView({ remembered }: Answered): KeptView | undefined {
  if (!remembered) return undefined
  const { call, folder, rules } = remembered
  return { call: shortText(call, MOST_CALL), ...(folder === undefined ? {} : { folder }), rules: [...rules] }
}

const MOST_CALL = 2_000
