import { z } from 'zod'
import { visibleText } from '../text/visible-text.ts'

/** Text from an untrusted source that a person will read. */
const DisplayText = z.string().transform(visibleText)
/** A value that must come back unchanged. Values with invisible characters are rejected: nobody can choose what they cannot see. */
const VisibleText = z.string().refine((text) => visibleText(text) === text)
const TITLE_FIELDS = { title: DisplayText.exactOptional(), description: DisplayText.exactOptional() }
const TitledOptions = z.array(z.object({ const: z.string(), title: DisplayText }))
const ITEM_LIMITS = { minItems: z.number().exactOptional(), maxItems: z.number().exactOptional() }

/**
 * The fields that a form of MCP may have. Other parts of a schema are omitted: a pattern, for example, would be untrusted code
 * to run here.
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

/** The schema of a form that a child's MCP server may show to a person: a flat list of fields with plain values. */
export const FormSchema = z.object({
  type: z.literal('object'),
  properties: z.record(VisibleText, Field),
  required: z.array(z.string()).exactOptional(),
})
export type FormSchema = z.infer<typeof FormSchema>
