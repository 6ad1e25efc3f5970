import { z } from 'zod'
import type { Answered } from '../../approvals/approval.ts'
import { shortenText } from './shorten-text.ts'

/** What an answer has remembered, in the result of both families. */
export const RememberedView = z
  .looseObject({ call: z.string(), folder: z.string().optional(), rules: z.array(z.string()) })
  .describe('What needs no answer from now on: this call in its folder, and calls that match the rules.')
export type RememberedView = z.infer<typeof RememberedView>

export function rememberedView({ remembered }: Answered): RememberedView | undefined {
  if (!remembered) return undefined
  const { call, folder, rules } = remembered
  return { call: shortenText(call, MAX_CALL), ...(folder === undefined ? {} : { folder }), rules: [...rules] }
}

const MAX_CALL = 2_000
