import { z } from 'zod'
import { RESOURCES } from '../budgets/budget.ts'

const Json = z.unknown()

/** The reply to the child. Allow always has the input that runs, deny always a reason. */
export const Decision = z.discriminatedUnion('behavior', [
  z.object({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), Json),
    updatedPermissions: z.array(Json).optional(),
    /** A note for the model, which reads it after the result of the call. */
    message: z.string().optional(),
  }),
  z.object({ behavior: z.literal('deny'), message: z.string(), interrupt: z.boolean().optional() }),
  z.object({
    behavior: z.literal('form'),
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.record(z.string(), Json).optional(),
  }),
  /** No child gets this. `limit` is the new limit of the resource, with `raise`. */
  z.object({
    behavior: z.literal('budget'),
    action: z.enum(['raise', 'continue', 'stop']),
    resource: z.enum(RESOURCES),
    limit: z.number().optional(),
  }),
])
export type Decision = z.infer<typeof Decision>
/** A decision that a child gets. */
export type ChildDecision = Exclude<Decision, { behavior: 'budget' }>
