import { z } from 'zod'
import { strictFields } from '../base/input-fields.ts'
import type { ExactCall } from './exact/exact-call.ts'

const MAX_PATTERN = 500
const MAX_LIST = 100

const Id = z
  .string('id must be a text.')
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,79}$/i,
    'id may have letters, digits and . _ - only, and 80 characters at most.',
  )

function text(field: string, max = MAX_PATTERN) {
  return z
    .string(`${field} must be a text.`)
    .min(1, `${field} may not be empty.`)
    .max(max, `${field} may have at most ${max} characters.`)
    .refine((value) => !/\p{Cc}/u.test(value), `${field} may have no control characters.`)
}

function texts(field: string) {
  return z
    .union(
      [text(field), z.array(text(field)).min(1).max(MAX_LIST)],
      `${field} must be a text or a list of texts.`,
    )
    .transform((value) => (typeof value === 'string' ? [value] : value))
}

const Examples = strictFields(
  { match: texts('match').optional(), not_match: texts('not_match').optional() },
  'examples',
)

const Mcp = strictFields({ server: text('server'), tool: texts('tool').optional() }, 'mcp')

/** What both drawers of a rules file have. All conditions of a rule must hold. */
const CONDITIONS = {
  id: Id,
  /** The name of a tool, or names; a star stands for any text. */
  tool: texts('tool').optional(),
  /** What a command of the line must look like. */
  command: texts('command').optional(),
  /** The file or folder that the call names, after links: inside this folder. Relative to the session's folder. */
  path: texts('path').optional(),
  /** The folder that the call runs in, or a folder above it. */
  folder: text('folder').optional(),
  /** The host of an address that is fetched; `*.example.com` stands for all below it. */
  host: texts('host').optional(),
  mcp: Mcp.optional(),
  /** Permission modes. */
  mode: texts('mode').optional(),
  /** The caller that started the session, such as `operator` or the name of a client. */
  caller: texts('caller').optional(),
  /** The name or id of a session. A rule that refuses or asks also holds for the sessions below it. */
  session: texts('session').optional(),
  /** The name or id of a session: it and all sessions below it. */
  tree: texts('tree').optional(),
  /** The time from which on it holds no more, such as 2027-01-31T12:00:00Z. */
  expires: z.iso
    .datetime({ offset: true, error: 'expires must be a time such as 2027-01-31T12:00:00Z.' })
    .optional(),
  because: text('because', 1_000).optional(),
  examples: Examples.optional(),
} as const

const Effect = z.enum(['allow', 'deny', 'ask'], 'effect must be allow, deny or ask.')

export const FileRule = strictFields(
  {
    ...CONDITIONS,
    effect: Effect,
    /** For an allow rule: whether the shell may write a file of the session's folders for the command. */
    redirect: z.enum(['none', 'inside'], 'redirect must be none or inside.').optional(),
  },
  'rules',
)
export const ForbidRule = strictFields(CONDITIONS, 'forbid')

/** A rule that only refuses or asks: a repository and a start option may bring these. */
export const NarrowingRule = FileRule.refine(
  ({ effect }) => effect !== 'allow',
  'effect must be deny or ask here: a rule that allows belongs into rules.json of the home folder.',
)

/** A rule of any drawer. */
export type Rule = Omit<z.infer<typeof FileRule>, 'effect'> & {
  readonly effect: RuleEffect
} & GrantedConditions

/** What only a rule that was remembered with an answer can say. */
interface GrantedConditions {
  readonly exact?: ExactCall | undefined
  /** The number of a turn of the session, which must still run. */
  readonly turn?: number | undefined
}
type RuleEffect = z.infer<typeof Effect> | 'forbid'
