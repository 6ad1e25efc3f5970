import { SCOPE_WORDS } from '../../../src/command-line/dialog/dialog-scope.ts'
import { labelOf, localTime } from '../../../src/command-line/views/session-words.ts'
import type { GrantView } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** Who a scope reaches, in a line that a person reads before they choose it. */
export const SCOPE_MEANINGS: Readonly<Record<keyof typeof SCOPE_WORDS, string>> = {
  turn: 'this session, until it has done what you last said',
  session: 'this session alone, until it is deleted',
  tree: 'this session, the one that started it, and all sessions that these start',
  folder: 'every session that works in this folder or below it, later ones too',
  always: 'every session everywhere, later ones too',
}

/** Where and until when a grant holds: `in this session, until it is revoked`. Pure. */
export function holdsWords({ scope, endsAt }: Pick<GrantView, 'scope' | 'endsAt'>): string {
  const where = SCOPE_WORDS[scope]
  if (endsAt !== undefined) return `${where}, until ${localTime(endsAt)} at the latest`
  return scope === 'turn' ? where : `${where}, until it is revoked`
}

/** Where a grant held, and how it ended: `in this session; revoked by laptop, 2026-11-17 09:05:00`. Pure. */
export function endedWords({ scope, ended }: Pick<GrantView, 'scope' | 'ended'>): string {
  if (!ended) return SCOPE_WORDS[scope]
  const by = ended.how === 'revoked' && ended.by !== undefined ? ` by ${visibleText(ended.by)}` : ''
  return `${SCOPE_WORDS[scope]}; ${ended.how}${by}, ${localTime(ended.at)}`
}

/** The text of a rule with the names of sessions in place of their ids. Pure. */
export function withSessionNames(text: string, sessions: readonly Session[]): string {
  return visibleText(
    text.replace(/"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g, (whole, id: string) => {
      const session = sessions.find((each) => each.id === id)
      return session?.name === undefined ? whole : JSON.stringify(labelOf(session))
    }),
  )
}
