import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { wordRows } from '../../command-line/terminal/word-rows.ts'
import { grantLines } from './grant-lines.ts'

/** `grants ls [SESSION]` and `grants revoke [SESSION] GRANT`. */
export async function run({ args: [verb, ...names], flags, out, hub }: CommandCall): Promise<void> {
  const [grantId, sessionId] = names.toReversed()
  if (verb === 'revoke' && grantId !== undefined) {
    const { engine, context } = await hub('changes')
    const left = await engine.revokeGrant(context, { sessionId, grantId })
    if (out.isJson) return out.json({ revoked: grantId, left: left.length })
    return out.say('Such calls are asked about again.')
  }
  if (verb !== 'ls' || names.length > 1)
    throw new AppError(
      'invalid_input',
      'Say plexus grants ls [SESSION], or plexus grants revoke [SESSION] GRANT.',
    )
  const { engine, context } = await hub('reads')
  const grants = await engine.listGrants(context, {
    sessionId: names[0],
    ...(flags.isSet('all') ? { ended: true as const } : {}),
  })
  if (out.isJson) return out.json({ grants })
  if (flags.isSet('quiet')) return grants.forEach(({ id }) => out.line(id))
  if (grants.length === 0) return out.say(names.length === 0 ? NOTHING : NOTHING_HERE)
  for (const grant of grants)
    for (const line of grantLines(grant)) wordRows(line, out.columns).forEach(out.line)
}

const NOTHING = 'Nothing is remembered.'
const NOTHING_HERE = 'Nothing is remembered in this session.'
