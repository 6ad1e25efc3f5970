import type { Answer } from '../../approvals/answer.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Dialog, Step } from './dialog.ts'
import { chosenOffer, offersOf } from './dialog-offers.ts'
import { chosenScope, nextScopeLabel, scopeAnswer } from './dialog-scope.ts'

/** What a person can do now, and the key for it. */
export type Choice = { readonly key: string; readonly label: string } & (
  | { readonly does: 'answer'; readonly answer: Answer }
  | {
      readonly does:
        | 'show'
        | 'edit'
        | 'extend'
        | 'scope'
        | 'hour'
        | 'rule'
        | Exclude<Step, 'edited' | 'choose'>
    }
)

/** Pure. The steps in which a line is typed have no choices. */
export function choicesOf(dialog: Dialog): Choice[] {
  const { question, step, setting, edited } = dialog
  if (!question) return []
  switch (step) {
    case 'choose':
      return firstChoices(question, setting.mayEdit)
    case 'wider':
      return widerChoices(dialog, question)
    case 'sure':
      return [
        { key: 'y', label: 'remember it all the same', does: 'answer', answer: scopeAnswer(dialog) },
        { key: 'r', label: 'another rule', does: 'rule' },
      ]
    case 'dismiss':
      return [{ key: 'c', label: 'dismiss it', does: 'answer', answer: { dismiss: true } }]
    case 'edited':
      return [
        {
          key: 'a',
          label: question.kind === 'plan' ? 'approve it as edited' : 'allow it as edited',
          does: 'answer',
          answer: { approve: true, updatedInput: edited },
        },
        { key: 'e', label: 'edit again', does: 'edit' },
        { key: 'd', label: 'deny', does: 'reason' },
      ]
    case 'reason':
    case 'reply':
      return []
  }
}

function firstChoices({ kind, expiresAt }: PendingQuestion, mayEdit: boolean): Choice[] {
  const edit: Choice[] = mayEdit ? [{ key: 'e', label: 'edit', does: 'edit' }] : []
  const more: Choice[] = [
    { key: 'v', label: 'view all', does: 'show' },
    ...(expiresAt === undefined ? [] : ([{ key: 't', label: 'more time', does: 'extend' }] as const)),
  ]
  const dismiss: Choice = { key: 'c', label: 'dismiss: no answer', does: 'dismiss' }
  switch (kind) {
    case 'tool':
      return [
        { key: 'a', label: 'allow once', does: 'answer', answer: { approve: true } },
        { key: 's', label: 'do not ask again …', does: 'wider' },
        { key: 'd', label: 'deny', does: 'reason' },
        ...edit,
        ...more,
      ]
    case 'plan':
      return [
        { key: 'a', label: 'approve', does: 'answer', answer: { approve: true } },
        { key: 's', label: 'approve, edits unasked', does: 'wider' },
        { key: 'd', label: 'reject with feedback', does: 'reason' },
        ...edit,
        ...more,
      ]
    case 'question':
      return [
        { key: 'r', label: 'reply', does: 'reply' },
        { key: 'd', label: 'decline', does: 'reason' },
        dismiss,
        ...more,
      ]
    case 'budget':
      return [
        { key: 'r', label: 'raise, or another answer', does: 'reply' },
        { key: 'c', label: 'continue', does: 'answer', answer: { answers: ['continue'] } },
        { key: 's', label: 'stop all of them', does: 'wider' },
        ...more,
      ]
    case 'form':
      return [{ key: 'd', label: 'decline', does: 'answer', answer: { approve: false } }, dismiss, ...more]
  }
}

/** Their text says what would no longer be asked about (`dialog-lines.ts`). */
function widerChoices(dialog: Dialog, { kind, suggestedRules, remembers }: PendingQuestion): Choice[] {
  if (kind === 'budget')
    return [{ key: 's', label: 'confirm', does: 'answer', answer: { answers: ['stop'] } }]
  if (kind === 'plan')
    return [
      {
        key: 's',
        label: 'confirm',
        does: 'answer',
        answer: { approve: true, permissionMode: 'acceptEdits' },
      },
    ]
  if (!remembers) return []
  const suggested: Answer = { approve: true, remember: 'suggested' }
  return [
    chosenOffer(dialog)?.needsYes
      ? { key: 's', label: 'confirm', does: 'sure' }
      : { key: 's', label: 'confirm', does: 'answer', answer: scopeAnswer(dialog) },
    ...scopeChoice(dialog),
    { key: 'h', label: chosenScope(dialog).hour ? 'without an end' : 'for 1 hour', does: 'hour' },
    ...(suggestedRules.length === 0
      ? []
      : ([
          {
            key: 'w',
            label: `in this session, and ${suggestedRules.join(', ')}`,
            does: 'answer',
            answer: suggested,
          },
        ] as const)),
    // The last, so that no other choice gets another number when the rules are read.
    ...ruleChoice(dialog),
  ]
}

function scopeChoice(dialog: Dialog): Choice[] {
  const label = nextScopeLabel(dialog)
  return label === undefined ? [] : [{ key: 'o', label, does: 'scope' }]
}

function ruleChoice(dialog: Dialog): Choice[] {
  if (dialog.offered === 'loading')
    return [{ key: 'r', label: 'another rule (they are being read)', does: 'rule' }]
  const offers = offersOf(dialog)
  if (offers.length === 0) return []
  const index = offers.findIndex(({ id }) => id === chosenOffer(dialog)?.id) + 1
  return [
    {
      key: 'r',
      label: index === offers.length ? 'exactly this call' : `wider rule ${index + 1} of ${offers.length}`,
      does: 'rule',
    },
  ]
}
