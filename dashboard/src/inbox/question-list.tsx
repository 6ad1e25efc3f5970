import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { questionLine } from '../../../src/command-line/views/question-views.ts'
import { span } from '../../../src/command-line/views/session-words.ts'
import { titleOfId } from '../hub/hub-state.ts'
import { now } from '../shell/clock.ts'
import { mayAllowTogether, sameCall } from './alike-questions.ts'
import { begun } from './drafts.ts'
import { dialog, focus, focusedId } from './inbox-state.ts'
import {
  answerSelected,
  isCardBegun,
  mayAnswerSelected,
  selected,
  selectionNote,
  toggleSelected,
} from './selection.ts'

export function QuestionList({ open }: { readonly open: readonly PendingQuestion[] }) {
  return (
    <>
      <ul>
        {open.map((question) => (
          <Row key={question.id} question={question} />
        ))}
      </ul>
      <Selection open={open} />
    </>
  )
}

function Row({ question }: { readonly question: PendingQuestion }) {
  const { id, sessionId } = question
  const isFocused = focusedId.value === id
  return (
    <li class={isFocused ? 'row focused' : 'row'}>
      <input
        type="checkbox"
        aria-label="Select"
        checked={selected.value.has(id)}
        onChange={() => toggleSelected(id)}
      />
      <button type="button" aria-current={isFocused ? 'true' : undefined} onClick={() => focus(id)}>
        <b>{titleOfId(sessionId)}</b> {rowLine(question)}
      </button>
      {begun.value.has(id) && !isFocused && <span class="tag">begun</span>}
      <Age question={question} />
    </li>
  )
}

/** A row has little place: the file is named from the folder of the session on; the card has the whole path. */
function rowLine(question: PendingQuestion): string {
  const { cwd, input } = question
  const line = questionLine(question)
  return cwd === undefined || typeof input['file_path'] !== 'string' ? line : line.replace(`${cwd}/`, '')
}

/** How long it waits, or how long it can still be answered. */
function Age({ question: { openedAt, expiresAt } }: { readonly question: PendingQuestion }) {
  if (expiresAt === undefined) return <span class="age faint">{span(now.value - openedAt)}</span>
  const left = Math.max(0, expiresAt - now.value)
  return <span class={left < SOON_MS ? 'age attention' : 'age faint'}>{span(left)} left</span>
}

const SOON_MS = 60_000

/** One decision over several. It says what it covers before it is made. */
function Selection({ open }: { readonly open: readonly PendingQuestion[] }) {
  const chosen = open.filter(({ id }) => selected.value.has(id))
  if (chosen.length === 0) return <SameAsFocused open={open} />
  const isPlain = chosen.every(({ kind }) => kind === 'tool')
  const mayAllow = mayAllowTogether(chosen, dialog.value.question)
  const these = chosen.length === 1 ? 'this one' : `these ${chosen.length}`
  return (
    <div class="selection" role="status">
      <p>
        {chosen.length} selected: {groupsOf(chosen).join('; ')}
      </p>
      {isCardBegun.value && <p>Finish what is begun on the card first, or go back there (Esc).</p>}
      {!isPlain && <p>Plans, questions and forms are answered one by one.</p>}
      {isPlain && !mayAllow && (
        <p>A change of a file is allowed only while it is shown: open it, or allow each by itself.</p>
      )}
      {isPlain && (
        <div class="buttons">
          {mayAllow && <DecideButton approve these={these} />}
          <DecideButton approve={false} these={these} />
        </div>
      )}
      {selectionNote.value !== undefined && <p class="key-note">{selectionNote.value}</p>}
    </div>
  )
}

/** One decision over all that are selected, with its key. */
function DecideButton({ approve, these }: { readonly approve: boolean; readonly these: string }) {
  return (
    <button
      type="button"
      class={approve ? 'allow' : 'deny'}
      disabled={!mayAnswerSelected.value}
      onClick={() => void answerSelected(approve)}
    >
      {approve ? 'Allow' : 'Deny'} {these} <kbd>{approve ? 'A' : 'D'}</kbd>
    </button>
  )
}

function SameAsFocused({ open }: { readonly open: readonly PendingQuestion[] }) {
  const focused = open.find(({ id }) => id === focusedId.value)
  const same = focused ? open.filter((each) => sameCall(each) === sameCall(focused)) : []
  if (same.length < 2 || focused?.kind !== 'tool') return null
  const count = new Set(same.map(({ sessionId }) => sessionId)).size
  return (
    <p class="selection">
      {questionLine(focused)}: asked {same.length} times{count > 1 ? ` in ${count} sessions` : ''}.{' '}
      <button type="button" onClick={() => (selected.value = new Set(same.map(({ id }) => id)))}>
        Select all {same.length}
      </button>
    </p>
  )
}

/** `3 times run: npm test`. Pure. */
function groupsOf(questions: readonly PendingQuestion[]): string[] {
  const groups = new Map<string, { line: string; count: number }>()
  for (const question of questions) {
    const key = sameCall(question)
    const line = questionLine(question)
    groups.set(key, { line, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()].map(({ line, count }) => (count === 1 ? line : `${count} times ${line}`))
}
