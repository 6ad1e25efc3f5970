import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { subjectOfCliRule } from '../../approvals/grants/cli-rule.ts'
import type { Rule } from '../../rules/rule.ts'
import type { Connection } from './connection/connection.ts'

/** What versions before stored of a grant. */
const OldGrant = z.object({
  id: z.string(),
  sessionId: z.string(),
  by: z.string(),
  at: z.number(),
  rule: z.object({
    toolName: z.string(),
    subject: z.string(),
    folder: z.string().optional(),
    rules: z.array(z.string()).default([]),
    /** Absent in rows of 0.1.0, which took over rules that nobody chose, and stored no folder. */
    remember: z.enum(['session', 'suggested']).optional(),
  }),
})
type OldGrant = z.infer<typeof OldGrant>

/** Version 8: what was remembered becomes rules of its session. A row that grants nothing is dropped. */
export function grantsAsRules(db: Connection): void {
  const rows: { body: string; session: string }[] = db.all(
    'SELECT g.body, s.body AS session FROM grants g JOIN sessions s ON s.id = g.session_id ORDER BY g.n',
  )
  for (const { body, session } of rows) {
    const old = OldGrant.safeParse(JSON.parse(body)).data
    if (!old) continue
    const { id, sessionId, by, at } = old
    const rules = rulesFrom(old, z.object({ workingDirectory: z.string() }).parse(JSON.parse(session)))
    db.run('INSERT INTO granted (id, keeper, wide, ends, body) VALUES (?, ?, 0, 0, ?)', [
      id,
      sessionId,
      JSON.stringify({ id, sessionId, by, at, scope: 'session', rules }),
    ])
  }
}

function rulesFrom(
  { id, sessionId, rule }: OldGrant,
  { workingDirectory }: { workingDirectory: string },
): Rule[] {
  const { toolName, subject, remember } = rule
  const isChosen = remember !== undefined
  const folder = isChosen ? rule.folder : dependsOnFolder(rule) ? workingDirectory : undefined
  const limits: Rule = { id, effect: 'allow', session: [sessionId] }
  const suggested = isChosen ? rule.rules : []
  return [
    { ...limits, exact: { toolName, subject, ...(folder === undefined ? {} : { folder }) } },
    ...suggested.flatMap((text) => {
      const [, name = '', ruleContent] = /^([^(]*)(?:\((.*)\))?$/s.exec(text) ?? []
      const about = subjectOfCliRule({ toolName: name, ruleContent })
      return about ? [{ ...limits, ...about }] : []
    }),
  ]
}

function dependsOnFolder({ toolName, subject }: OldGrant['rule']): boolean {
  if (toolName.startsWith('mcp__') || toolName === 'WebFetch' || toolName === 'WebSearch') return false
  return !(['Read', 'Write', 'Edit'].includes(toolName) && isAbsolute(subject))
}
