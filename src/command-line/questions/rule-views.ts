import type { ReplayReport, RuleOffers, SuggestedRule } from '../../engine/engine.ts'
import { oneLine } from '../views/session-words.ts'

type Change = ReplayReport['newlyAllowed']

/** What a replay found, one line for each kind of change and each example. Pure. */
export function replayLines(report: ReplayReport & { readonly since: number }): string[] {
  const { questions, unchanged, newlyAllowed, newlyAsked, newlyDenied, oldestAt, since } = report
  if (questions === 0) return [`No question since ${dayOf(since)} is stored, so there is nothing to compare.`]
  return [
    `${counted(questions, 'stored question')} since ${dayOf(oldestAt ?? since)}, as these rules would decide now; nothing was run:`,
    ...changeLines('newly allowed', newlyAllowed),
    ...changeLines('newly asked', newlyAsked),
    ...changeLines('newly denied', newlyDenied),
    `  unchanged: ${unchanged}`,
  ]
}

function changeLines(name: string, { count, denied, examples }: Change): string[] {
  const warning = name === 'newly allowed' && denied > 0 ? `, of which ${denied} were denied then` : ''
  return [`  ${name}: ${count}${warning}`, ...examples.map((example) => `    ${exampleText(example)}`)]
}

function exampleText({ question, call, status, by, ruleId }: Change['examples'][number]): string {
  const rule = ruleId === undefined ? '' : `  by ${ruleId}`
  return oneLine(`${question}  ${call}  (was ${status}${by === undefined ? '' : ` by ${by}`})${rule}`)
}

/** The rules that a question offers, numbered, with what each would have allowed. Pure. */
export function offerLines({ offers, compared }: RuleOffers): string[] {
  return [
    ...offers.flatMap(({ text, newlyAllowed: { count, denied, examples } }, index) => [
      oneLine(`  ${index + 1}  ${text}`),
      `     ${count === 0 ? 'would have allowed nothing else' : `would have allowed ${counted(count, 'question')}`}${denied > 0 ? `, of which ${denied} were denied:` : ''}`,
      ...(denied > 0 ? examples.filter(({ status }) => status === 'denied') : []).map(
        (example) => `     ${exampleText(example)}`,
      ),
    ]),
    `  (compared with ${counted(compared.questions, 'stored question')} since ${dayOf(compared.since)})`,
  ]
}

export function suggestionLines(suggested: readonly SuggestedRule[]): string[] {
  return suggested.flatMap(({ rule, text, answers, questions }) => [
    oneLine(`${rule.id}  ${text}`),
    `    made from ${counted(answers, 'equal answer')}; would have answered ${counted(questions, 'question')}`,
  ])
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
