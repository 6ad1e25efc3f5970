import { computed, effect, signal } from '@preact/signals'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { hub, isAwake } from '../hub/connection.ts'
import { questions } from '../hub/hub-state.ts'
import { mayAllowTogether } from './alike-questions.ts'
import { batch, dialog, isAnswerable, isEditing, problem, sentenceOf } from './inbox-state.ts'

/** The questions that are answered as one decision. */
export const selected = signal<ReadonlySet<string>>(new Set())
/** Whether what is selected has been in front of the person long enough; each change of it begins anew. */
const isSelectionRead = signal(false)
/** Why the last key for the selection did nothing. */
export const selectionNote = signal<string | undefined>(undefined)

/** Not while something is begun on the card: what it shows is then not what the selection would allow. */
export const isCardBegun = computed(() => {
  const { question, step } = dialog.value
  return isEditing.value || (question !== undefined && step !== 'choose' && step !== 'reply')
})
export const mayAnswerSelected = computed(
  () => isAnswerable.value && isSelectionRead.value && !isCardBegun.value,
)

effect(() => {
  selectionNote.value = undefined
  if (selected.value.size === 0) return
  isSelectionRead.value = false
  const timer = setTimeout(() => (isSelectionRead.value = true), UNREAD_MS)
  return () => clearTimeout(timer)
})

/** What is settled is no longer selected. */
effect(() => {
  const ids = new Set(questions.value?.map(({ id }) => String(id)))
  const left = [...selected.peek()].filter((id) => ids.has(id))
  if (questions.value && left.length < selected.peek().size) selected.value = new Set(left)
})

export function toggleSelected(id: string): void {
  const next = new Set(selected.peek())
  if (!next.delete(id)) next.add(id)
  selected.value = next
}

/** One decision over all that are selected: all of them, or none. */
export async function answerSelected(approve: boolean): Promise<void> {
  const chosen = (questions.peek() ?? []).filter(({ id }) => selected.peek().has(id))
  if (chosen.length === 0 || !isAwake()) return
  selectionNote.value = isAnswerable.peek() && !isSelectionRead.peek() ? IGNORED : undefined
  if (!mayAnswerSelected.peek()) return
  if (approve && !mayAllowTogether(chosen, dialog.peek().question)) return
  problem.value = undefined
  batch.value = undefined
  try {
    await hub.call('answerAll', {
      questions: chosen.map(({ id, sessionId, inputSha256 }) => ({
        approvalId: id,
        sessionId,
        inputSha256,
        approve,
      })),
    })
    selected.value = new Set()
    batch.value = { approve, questions: chosen }
  } catch (error) {
    batch.value = { approve, questions: chosen, problem: sentenceOf(error) }
  }
}

const IGNORED = 'Key ignored: the selection had just changed. Press it again.'
