import { isAlwaysAsked } from '../../child/policy/hook-opinion.ts'
import { compileRules, type RuleList } from '../../rules/compiled-rules.ts'
import { decideByList, decideForbidden, type RuleSet } from '../../rules/decide.ts'
import { outcomeOf, type Outcome, type PastQuestion } from '../../rules/learning/past-question.ts'
import type { RuleCall, RuleContext } from '../../rules/rule-call.ts'
import { strictest, type Verdict } from '../../rules/verdict.ts'
import type { FileLookup } from '../../shell/path-bounds.ts'
import type { Session } from '../record/session.ts'

/** What the calls of a session are judged by besides rules, for sessions that need not be live. */
export interface JudgedSession {
  readonly context: RuleContext
  readonly plexusHome: string
  /** The rules that it was started with. */
  readonly own: RuleList
}

interface Surroundings {
  readonly files: FileLookup
  /** The real path of the home folder of Plexus. */
  readonly home: string
  readonly userHome: string | undefined
  readonly now: number
}

/** As the session is now: its folders, its sessions above and the disk may have been others when a question was asked. */
export function judgedSession(
  session: Session,
  ancestors: readonly Pick<Session, 'id' | 'name'>[],
  { files, home, userHome, now }: Surroundings,
): JudgedSession {
  const { workingDirectory, config, owner } = session
  return {
    context: {
      place: {
        files,
        bounds: { folders: [workingDirectory, ...(config.addDirs ?? [])], except: [home] },
        cwd: workingDirectory,
        // Stricter than it may be: then a reading git command is harmless only where it can run nothing.
        trusted: false,
      },
      userHome,
      sessions: [session, ...ancestors].map(({ id, name }) => ({ id, name })),
      caller: owner,
      now,
      harmlessIsAllowed: config.supervise === 'asked',
    },
    plexusHome: home,
    own: compileRules(config.rules ?? []),
  }
}

/**
 * What a rules file says of a call, and where it decides nothing, a rule that is remembered; in the order that always holds.
 * Also for each session above.
 */
export function verdictAnew(
  call: RuleCall,
  rules: RuleSet,
  judged: JudgedSession,
  remembered?: RuleList,
): Verdict {
  const { context, plexusHome, own } = judged
  const above = contextsAbove(context)
  let forbidden = decideForbidden(call, context, rules)
  for (const there of above) forbidden = strictest([forbidden, decideForbidden(call, there, rules)])
  if (forbidden.effect !== 'none') return forbidden
  let written = decidedBy(call, context, rules, own)
  for (const there of above) {
    const narrowed = decidedBy(call, there, rules, own)
    // A session above only takes away: what it may do allows nothing below it.
    if (narrowed.effect !== 'allow') written = strictest([written, narrowed])
  }
  const verdict =
    written.effect === 'none' && remembered ? decideByList(call, context, remembered, 'granted') : written
  if (verdict.effect === 'allow' && isAlwaysAsked({ plexusHome, place: context.place }, call))
    return ALWAYS_ASKED
  return verdict
}

function decidedBy(call: RuleCall, context: RuleContext, { rules }: RuleSet, own: RuleList): Verdict {
  const verdict = decideByList(call, context, rules, 'rules')
  return own.rules.length === 0 ? verdict : strictest([decideByList(call, context, own, 'session'), verdict])
}

/** The outcome of a past question by another rules file. Where that decides nothing, whatever else decided still does. */
export function outcomeAnew(
  question: PastQuestion,
  rules: RuleSet,
  judged: JudgedSession,
): { readonly outcome: Outcome; readonly ruleId?: string | undefined } {
  const verdict = verdictAnew(question.call, rules, judged)
  if (verdict.effect === 'none') return { outcome: question.byOther ? question.outcome : 'asked' }
  return { outcome: outcomeOf(verdict), ruleId: verdict.ruleId }
}

/** The contexts of the sessions above, from the parent up. */
function contextsAbove(context: RuleContext): readonly RuleContext[] {
  const { sessions } = context
  if (sessions.length === 1) return NONE_ABOVE
  return sessions.slice(1).map((_, index) => ({ ...context, sessions: sessions.slice(index + 1) }))
}

const NONE_ABOVE: readonly RuleContext[] = []
const ALWAYS_ASKED: Verdict = {
  effect: 'ask',
  because: 'It could reach the files of Plexus, and is asked about each time.',
}
