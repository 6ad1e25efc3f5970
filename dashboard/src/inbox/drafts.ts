import { type Signal, signal } from '@preact/signals'
import type { Dialog } from '../../../src/command-line/dialog/dialog.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'

type Asked = Pick<PendingQuestion, 'id' | 'inputSha256'>

/** What was chosen or typed for one thing that a question asks. */
export interface Reply {
  readonly chosen: readonly string[]
  readonly text: string
}

interface Kept<T> {
  readonly inputSha256: string
  readonly initial: string
  readonly draft: Signal<T>
}

/** What a person types for a question stays with it and with the input that they saw, wherever they look meanwhile. */
export class Drafts<T> {
  readonly #kept = new Map<string, Kept<T>>()

  of({ id, inputSha256 }: Asked, initial: () => T): Signal<T> {
    const kept = this.#kept.get(id)
    if (kept?.inputSha256 === inputSha256) return kept.draft
    const draft = signal(initial())
    this.#kept.set(id, { inputSha256, initial: JSON.stringify(draft.peek()), draft })
    return draft
  }

  isChanged({ id, inputSha256 }: Asked): boolean {
    const kept = this.#kept.get(id)
    return kept?.inputSha256 === inputSha256 && JSON.stringify(kept.draft.peek()) !== kept.initial
  }

  drop(id: string): void {
    this.#kept.delete(id)
  }

  keepOnly(ids: ReadonlySet<string>): void {
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id)
  }
}

export const edits = new Drafts<string>()
export const reasons = new Drafts<string>()
export const replies = new Drafts<readonly Reply[]>()
export const forms = new Drafts<Readonly<Record<string, string>>>()
const ALL = [edits, reasons, replies, forms]

/** How far a person was with a question that they have left. */
export interface Begun {
  readonly inputSha256: string
  readonly isEditing: boolean
  readonly step: Dialog['step']
  readonly edited?: Dialog['edited']
}

/** By the id of the question. */
export const begun = signal<ReadonlyMap<string, Begun>>(new Map())

/** The person leaves a question: what they have begun on it is kept. */
export function keepBegun(question: Asked, { step, edited }: Dialog, isEditing: boolean): void {
  const isBegun = isEditing || step === 'reason' || step === 'edited'
  const next = new Map(begun.peek())
  if (isBegun || ALL.some((drafts) => drafts.isChanged(question)))
    next.set(question.id, { inputSha256: question.inputSha256, isEditing, step, edited })
  else next.delete(question.id)
  begun.value = next
}

/** The dialog of a question that the person returns to: it is read anew before a key counts. Pure. */
export function resumed(dialog: Dialog, { step, edited }: Begun): Dialog {
  return step === 'reason' || step === 'edited' ? { ...dialog, step, edited } : dialog
}

/** Only an open question can still be answered. */
export function keepDraftsOf(ids: ReadonlySet<string>): void {
  for (const drafts of ALL) drafts.keepOnly(ids)
  if ([...begun.peek().keys()].some((id) => !ids.has(id)))
    begun.value = new Map([...begun.peek()].filter(([id]) => ids.has(id)))
}

export const HAS_CHANGED =
  'What this asks has changed since you began to answer it. What you typed was for the earlier one and is dropped.'
