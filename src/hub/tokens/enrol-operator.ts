import { callerIdOf, type CallerStore } from '../../callers/caller.ts'
import { hashOfToken } from '../../callers/token-hash.ts'

/** Makes this the operator's token and replaces any token before it. */
export async function enrolOperator(callers: CallerStore, token: string): Promise<void> {
  const tokenHash = hashOfToken(token)
  const known = await callers.byTokenHash(tokenHash)
  if (known?.kind === 'operator' && known.revokedAt === undefined) return
  const scopes = ['bypass', 'transcripts']
  await callers.put({
    id: callerIdOf('operator', 'operator'),
    kind: 'operator',
    name: 'operator',
    tokenHash,
    scopes,
    createdAt: Date.now(),
  })
}
