import type { Approval } from '../../approvals/approval.ts'
import type { Desk } from '../../approvals/desk.ts'
import { cliRuleText } from '../../approvals/grants/cli-rule.ts'
import {
  type GrantableCall,
  grantableCall,
  type Remember,
  type Remembered,
  rememberedBy,
  rulesOfCall,
  type ScopePlace,
  textsOf,
} from '../../approvals/grants/remember.ts'
import { REMEMBERS } from '../../rules/exact/grant-scopes.ts'
import { floodText } from '../../approvals/floods/flood-question.ts'
import { type Question, questionsOf } from '../../approvals/question.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { GrantId } from '../../base/ids.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { ancestorSessions } from '../access/session-access.ts'
import { shortIdOf } from '../../approvals/short-id.ts'

/** An approval with its questions in words. */
export interface QuestionInWords extends Approval {
  /** `NAME.N`, which can be used in place of the id; absent if an older version opened the question. */
  readonly shortId?: string | undefined
  readonly questions: readonly Question[]
  /** The rules that `remember: "suggested"` would add to the grant for this exact call. */
  readonly suggestedRules: readonly string[]
  /** What each `remember` would remember; absent if it would be asked about again, or the folder matters and is not known. */
  readonly remembers?: RememberedByScope | undefined
  /** When it is denied without an answer, by the clock of the running hub; absent if it never is. */
  readonly expiresAt?: number | undefined
}

/** What `remember: "session"` would remember, and for each `remember` the texts of the rules as they would be stored. */
interface RememberedByScope extends Remembered {
  readonly scopes: Readonly<Partial<Record<Remember, readonly string[]>>>
}

/** The session that asks, and the topmost session of its tree. */
export interface AskingPlace {
  readonly session: Session
  readonly topmostId: Session['id']
}

/** The sessions of these questions, by id; each is read once. */
export async function placesOf(
  store: Store,
  all: readonly Pick<Approval, 'sessionId'>[],
): Promise<Map<string, AskingPlace | undefined>> {
  const places = new Map<string, AskingPlace | undefined>()
  for (const { sessionId } of all) {
    if (places.has(sessionId)) continue
    const session = await store.sessions.get(sessionId)
    places.set(sessionId, session && (await placeOf(store, session)))
  }
  return places
}

export async function placeOf(store: Store, session: Session): Promise<AskingPlace> {
  const topmost = (await ancestorSessions(store, session.parentId)).at(-1)
  return { session, topmostId: topmost?.id ?? session.id }
}

/** A question as an answerer needs it. */
export function inWords(
  desk: Desk,
  approval: Approval,
  place: AskingPlace | undefined,
  held = 0,
): QuestionInWords {
  const call = grantableCall(approval)
  return {
    ...approval,
    ...definedFields({
      shortId: place && shortIdOf(approval, place.session),
      expiresAt: desk.expiresAt(approval.id),
      remembers: place && remembersOf(approval, place, call),
    }),
    questions: questionsOf(approval).map((one) =>
      approval.flood ? { ...one, question: floodText(held), freeText: false } : one,
    ),
    suggestedRules: call.suggested.map(cliRuleText),
  }
}

/** Where an answer to this question could be remembered. */
export function scopePlaceOf({ turn }: Approval, { session, topmostId }: AskingPlace): ScopePlace {
  return { sessionId: session.id, topmostId, workingDirectory: session.workingDirectory, turn }
}

function remembersOf(
  approval: Approval,
  asking: AskingPlace,
  call: GrantableCall,
): RememberedByScope | undefined {
  if (approval.kind !== 'tool' || approval.status !== 'pending') return undefined
  // A rule has it asked about each time.
  if (approval.verdict?.effect === 'ask') return undefined
  const place = scopePlaceOf(approval, asking)
  const wouldBe = (remember: Remember) => rulesOfCall(call, place, { id: NO_GRANT, remember })
  const rules = wouldBe('session')
  if (!rules) return undefined
  const remembered = rememberedBy(rules)
  const textsIn = (remember: Remember) =>
    remember === 'session' ? remembered.texts : textsOf(wouldBe(remember) ?? [])
  const choices = REMEMBERS.filter((remember) => remember !== 'suggested' || call.suggested.length > 0)
  return {
    ...remembered,
    // Made when it is read: a person is shown all scopes, and a model that answers is shown none.
    get scopes() {
      return Object.fromEntries(choices.map((remember) => [remember, textsIn(remember)] as const))
    },
  }
}

/** The text of a rule does not have its id. */
const NO_GRANT = GrantId.parse('')
