import { localTime, oneLine } from '../../command-line/views/session-words.ts'
import type { GrantView } from '../../engine/engine.ts'

/** What was remembered: where it holds, until when, by whom and with which question; then each rule as it is stored. Pure. */
export function grantLines(grant: GrantView): string[] {
  const { id, scope, texts, by, at, sessionId, approvalId } = grant
  const until = endText(grant)
  const question = approvalId === undefined ? `session ${sessionId}` : `question ${approvalId}`
  return [
    `${id}  ${scope}  ${until}  by ${oneLine(by)}, ${localTime(at)}, ${question}`,
    ...texts.map((text) => `    ${oneLine(text)}`),
  ]
}

/** How it ended, or what will end it. */
function endText({ scope, endsAt, ended }: GrantView): string {
  if (ended?.how === 'revoked')
    return oneLine(`revoked ${localTime(ended.at)} by ${ended.by ?? 'nobody known'}`)
  if (ended) return `expired ${localTime(ended.at)}`
  return endsAt === undefined ? END[scope] : `until ${localTime(endsAt)}`
}

/** What ends a grant without a time. */
const END: Readonly<Record<GrantView['scope'], string>> = {
  turn: 'until the turn ends',
  session: 'until revoked',
  tree: 'until revoked',
  folder: 'until revoked',
  always: 'until revoked',
}
