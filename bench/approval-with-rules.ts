import { withAnsweredQuestions } from './harness/answered-question.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { switchedOff, switchedOn } from './harness/switched.ts'

export const figure: Figure = {
  id: 'P1 (on and off)',
  title: 'a question that was read until its answer is put, with 1,000 rules, a budget and the record',
  reference: 'the same in another hub without rules, a budget and rows of the record',
  unit: 'ms',
  goal: { max: 1.15 },
  run: () =>
    withAnsweredQuestions(
      (on) => withAnsweredQuestions((off) => inPairs(900, on, off), switchedOff()),
      switchedOn(),
    ),
}
