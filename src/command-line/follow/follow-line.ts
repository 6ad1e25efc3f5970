import { visibleText } from '../../text/visible-text.ts'
import { questionId } from '../views/question-views.ts'
import type { FollowState } from './follow-state.ts'

/** The last line of the screen: the keys for the question, or what is being typed. */
export function followLine({ question, step, draft, isBusy, paintedAt }: FollowState): string {
  const shown = visibleText(draft)
  if (!question) return isBusy ? `> ${shown}` : `(it is idle) > ${shown}`
  if (paintedAt === Number.POSITIVE_INFINITY) return ''
  const id = questionId(question)
  switch (step) {
    case 'choose':
      if (question.kind === 'question')
        return `${id}: plexus answer ${id} "one" "two" ... answers it; [d]eny  [v]iew all `
      return `${id}: [a]llow  ${question.kind === 'tool' ? 'allow for this [s]ession  ' : ''}[d]eny  [v]iew all `
    case 'remember':
      return `${id}: this exact call will not be asked about again in this session. [s] once more to confirm `
    case 'reason':
      return `${id}: why not? (Enter to deny, Esc to go back) ${shown}`
    case 'text':
      return `${id}: a number or a text > ${shown}`
  }
}
