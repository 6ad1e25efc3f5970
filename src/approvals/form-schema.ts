import { z } from 'zod'
import { visibleText } from '../text/visible-text.ts'

/** For a person to read, and from a stranger. */
const Shown = z.string().transform(visibleText)
/** What has to come back as it is: what cannot be seen cannot be chosen. */
const Plain = z.string().refine((text) => visibleText(text) === text)
const About = { title: Shown.exactOptional(), description: Shown.exactOptional() }
const Named = z.array(z.object({ const: z.string(), title: Shown }))
const Several = { minItems: z.number().exactOptional(), maxItems: z.number().exactOptional() }

/**
 * The fields that a form of MCP may have. What else a schema says is left out: a pattern, say, would be a program of somebody
 * else's to run here.
 */
const Field = z.union([
  z.object({ ...About, type: z.literal('boolean'), default: z.boolean().exactOptional() }),
  z.object({
    ...About,
    type: z.literal('string'),
    enum: z.array(Plain),
    enumNames: z.array(Shown).exactOptional(),
    default: Plain.exactOptional(),
  }),
  z.object({ ...About, type: z.literal('string'), oneOf: Named, default: Plain.exactOptional() }),
  z.object({
    ...About,
    type: z.literal('string'),
    enum: z.never().exactOptional(),
    oneOf: z.never().exactOptional(),
    minLength: z.number().exactOptional(),
    maxLength: z.number().exactOptional(),
    format: z.enum(['email', 'uri', 'date', 'date-time']).exactOptional(),
    default: Plain.exactOptional(),
  }),
  z.object({
    ...About,
    type: z.enum(['number', 'integer']),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    default: z.number().exactOptional(),
  }),
  z.object({
    ...About,
    ...Several,
    type: z.literal('array'),
    items: z.object({ type: z.literal('string'), enum: z.array(Plain) }),
    default: z.array(Plain).exactOptional(),
  }),
  z.object({
    ...About,
    ...Several,
    type: z.literal('array'),
    items: z.object({ anyOf: Named }),
    default: z.array(Plain).exactOptional(),
  }),
])

/** What a child's MCP server may ask a person for: fields side by side, nothing in them but a value. */
export const FlatSchema = z.object({
  type: z.literal('object'),
  properties: z.record(Plain, Field),
  required: z.array(z.string()).exactOptional(),
})
export type FlatSchema = z.infer<typeof FlatSchema>
