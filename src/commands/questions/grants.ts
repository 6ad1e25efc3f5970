import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'

/** `grants ls SESSION` and `grants revoke SESSION GRANT`. */
export async function run({
  args: [verb, sessionId = '', grantId],
  flags,
  out,
  hub,
}: CommandCall): Promise<void> {
  if (verb === 'revoke' && grantId !== undefined) {
    const { engine, context } = await hub('changes')
    const left = await engine.revokeGrant(context, { sessionId, grantId })
    if (out.isJson) return out.json({ revoked: grantId, left: left.length })
    return out.say('Such calls are asked about again.')
  }
  if (verb !== 'ls' || grantId !== undefined)
    throw new AppError(
      'invalid_input',
      'Say plexus grants ls SESSION, or plexus grants revoke SESSION GRANT.',
    )
  const { engine, context } = await hub('reads')
  const grants = await engine.listGrants(context, { sessionId })
  if (out.isJson) return out.json({ grants })
  if (flags.isSet('quiet')) return grants.forEach(({ id }) => out.line(id))
  if (grants.length === 0) return out.say('Nothing is remembered in this session.')
  for (const { id, rule, by } of grants)
    out.line(`${id}  ${oneLine(JSON.stringify(rule))}  by ${oneLine(by)}`)
}
