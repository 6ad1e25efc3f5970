import { isPlainWord, localTime, oneLine } from '../../command-line/views/session-words.ts'
import type { GrantView } from '../../engine/engine.ts'

/** What was remembered: what a person types to revoke it, where it holds, until when and by whom; then each rule. Pure. */
export function grantLines(grant: GrantView): string[] {
  const { scope, texts, by, at } = grant
  const until = endText(grant)
  return [
    `${grantName(grant)}  ${scope}  ${until}  by ${oneLine(by)}, ${localTime(at)}${originOf(grant)}`,
    ...texts.map((text) => `    ${oneLine(withNames(text, grant))}`),
  ]
}

/** How it ended, or what will end it. */
function endText({ scope, endsAt, ended }: GrantView): string {
  if (ended?.how === 'revoked')
    return oneLine(`revoked ${localTime(ended.at)} by ${ended.by ?? 'nobody known'}`)
  if (ended) return `expired ${localTime(ended.at)}`
  return endsAt === undefined ? END[scope] : `until ${localTime(endsAt)}`
}

/** The question that it was remembered with, else the beginning of its id. */
function grantName({ question, id }: GrantView): string {
  return question !== undefined && isPlainWord(question) ? question : id.slice(0, 8)
}

/** The session, where the question does not say it. */
function originOf({ question, sessionId, names = {} }: GrantView): string {
  if (question !== undefined) return ''
  return `, in session ${oneLine(names[sessionId] ?? sessionId.slice(0, 8))}`
}

/** A rule has the ids of sessions. A name is quoted as an id is, so that it cannot say more than a name. */
function withNames(text: string, { names = {} }: GrantView): string {
  return Object.entries(names).reduce(
    (shown, [id, name]) => shown.replaceAll(JSON.stringify(id), () => JSON.stringify(name)),
    text,
  )
}

/** What ends a grant without a time. */
const END: Readonly<Record<GrantView['scope'], string>> = {
  turn: 'until the turn ends',
  session: 'until you revoke it',
  tree: 'until you revoke it',
  folder: 'until you revoke it',
  always: 'until you revoke it',
}
