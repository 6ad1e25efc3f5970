import { z } from 'zod'

/** One shape for all kinds, because few model APIs accept a union; `isComplete` checks what each kind needs. */
const Source = z.strictObject({
  type: z.enum(['base64', 'url']),
  media_type: z.string().min(1).max(100).optional(),
  data: z.string().min(1).optional(),
  url: z.string().optional(),
})

const Block = z.strictObject({
  type: z.enum(['text', 'image', 'document']),
  text: z.string().min(1).optional(),
  source: Source.optional(),
  title: z.string().max(500).optional(),
})

/** The block has exactly the fields of its kind. */
function isComplete({ type, text, source, title }: z.infer<typeof Block>): boolean {
  if (type === 'text') return text !== undefined && source === undefined && title === undefined
  if (text !== undefined || source === undefined || (type === 'image' && title !== undefined)) return false
  const { media_type: mediaType, data, url } = source
  if (source.type === 'url')
    return z.url().safeParse(url).success && mediaType === undefined && data === undefined
  return mediaType !== undefined && data !== undefined && url === undefined
}

const MAX_BYTES = 12 * 1024 * 1024

/**
 * The content of a prompt: text, or the blocks that a person could paste. No other blocks: the model would take a forged
 * tool result for a real one. `field` is the name of the field in the caller's API.
 */
export function promptContent(field: string) {
  const empty = `${field} may not be empty.`
  const tooLong = `${field} may have at most 12 MB; put the rest into a file and name it.`
  return z.union(
    [
      z.string().min(1, empty).refine(isWithinLimit, tooLong),
      z
        .array(Block.refine(isComplete))
        .min(1, empty)
        .max(1_000, `${field} may have at most 1000 blocks.`)
        .refine(isWithinLimit, tooLong),
    ],
    {
      error: `${field} must be text, or a list of blocks of type text ({text}), image ({source}) and document ({source, title}).`,
    },
  )
}

function isWithinLimit(content: unknown): boolean {
  return Buffer.byteLength(typeof content === 'string' ? content : JSON.stringify(content)) <= MAX_BYTES
}
