import { z } from 'zod'

const Source = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('base64'),
    media_type: z.string().min(1).max(100),
    data: z.string().min(1),
  }),
  z.strictObject({ type: z.literal('url'), url: z.url() }),
])

const Block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('image'), source: Source }),
  z.strictObject({ type: z.literal('document'), source: Source, title: z.string().max(500).optional() }),
])

const MAX_BYTES = 12 * 1024 * 1024
const EMPTY = 'content may not be empty.'
const TOO_LONG = 'content may have at most 12 MB; put the rest into a file and name it.'
const WHAT =
  'content must be text, or a list of blocks of type text ({text}), image ({source}) and document ({source, title}).'

/**
 * What a caller may say: text, or the blocks that a person could paste. No others: a tool result among them would be
 * taken for one that a tool gave.
 */
export const PromptContent = z.union(
  [
    z.string().min(1, EMPTY).refine(fits, TOO_LONG),
    z.array(Block).min(1, EMPTY).max(1_000, 'content may have at most 1000 blocks.').refine(fits, TOO_LONG),
  ],
  { error: WHAT },
)

function fits(content: unknown): boolean {
  return Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content)) <= MAX_BYTES
}
