import { z } from 'zod'
import { visibleText } from '../text/visible-text.ts'

/** For a person to read, and from a stranger. */
const DisplayText = z.string().transform(visibleText)
/** What has to come back as it is: what cannot be seen cannot be chosen. */
const VisibleText = z.string().refine((text) => visibleText(text) === text)
const TITLE_FIELDS = { title: DisplayText.exactOptional(), description: DisplayText.exactOptional() }
const TitledOptions = z.array(z.object({ const: z.string(), title: DisplayText }))
const ITEM_LIMITS = { minItems: z.number().exactOptional(), maxItems: z.number().exactOptional() }

/**
 * The fields that a form of MCP may have. What else a schema says is left out: a pattern, say, would be a program of somebody
 * else's to run here.
 */
const Field = z.union([
  z.object({ ...TITLE_FIELDS, type: z.literal('boolean'), default: z.boolean().exactOptional() }),
  z.object({
    ...TITLE_FIELDS,
    type: z.literal('string'),
    enum: z.array(VisibleText),
    enumNames: z.array(DisplayText).exactOptional(),
    default: VisibleText.exactOptional(),
  }),
  z.object({
    ...TITLE_FIELDS,
    type: z.literal('string'),
    oneOf: TitledOptions,
    default: VisibleText.exactOptional(),
  }),
  z.object({
    ...TITLE_FIELDS,
    type: z.literal('string'),
    enum: z.never().exactOptional(),
    oneOf: z.never().exactOptional(),
    minLength: z.number().exactOptional(),
    maxLength: z.number().exactOptional(),
    format: z.enum(['email', 'uri', 'date', 'date-time']).exactOptional(),
    default: VisibleText.exactOptional(),
  }),
  z.object({
    ...TITLE_FIELDS,
    type: z.enum(['number', 'integer']),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    default: z.number().exactOptional(),
  }),
  z.object({
    ...TITLE_FIELDS,
    ...ITEM_LIMITS,
    type: z.literal('array'),
    items: z.object({ type: z.literal('string'), enum: z.array(VisibleText) }),
    default: z.array(VisibleText).exactOptional(),
  }),
  z.object({
    ...TITLE_FIELDS,
    ...ITEM_LIMITS,
    type: z.literal('array'),
    items: z.object({ anyOf: TitledOptions }),
    default: z.array(VisibleText).exactOptional(),
  }),
])

/** What a child's MCP server may ask a person for: fields side by side, nothing in them but a value. */
export const FormSchema = z.object({
  type: z.literal('object'),
  properties: z.record(VisibleText, Field),
  required: z.array(z.string()).exactOptional(),
})
export type FormSchema = z.infer<typeof FormSchema>
