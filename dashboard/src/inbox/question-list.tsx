import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { questionLine } from '../../../src/command-line/views/question-views.ts'
import { labelOf, span } from '../../../src/command-line/views/session-words.ts'
import { sessions } from '../hub/hub-state.ts'
import { now } from '../shell/clock.ts'
import { answerSelected, focus, focusedId, mayAnswer, selected, toggleSelected } from './inbox-state.ts'

export function QuestionList({ open }: { readonly open: readonly PendingQuestion[] }) {
  return (
    <section class="list" aria-label="Open questions">
      <Selection open={open} />
      <ul>
        {open.map((question) => (
          <Row key={question.id} question={question} />
        ))}
      </ul>
    </section>
  )
}

function Row({ question }: { readonly question: PendingQuestion }) {
  const { id, sessionId, openedAt } = question
  const session = sessions.value?.find((each) => each.id === sessionId)
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
        <b>{session ? labelOf(session) : sessionId.slice(0, 8)}</b> {questionLine(question)}
        <span class="faint"> {span(now.value - openedAt)}</span>
      </button>
    </li>
  )
}

/** One decision over several. It says what it covers before it is made. */
function Selection({ open }: { readonly open: readonly PendingQuestion[] }) {
  const chosen = open.filter(({ id }) => selected.value.has(id))
  if (chosen.length === 0) return <SameAsFocused open={open} />
  const isPlain = chosen.every(({ kind }) => kind === 'tool')
  return (
    <div class="selection" role="status">
      <p>
        {chosen.length} selected: {groupsOf(chosen).join('; ')}
      </p>
      {isPlain ? (
        <div class="buttons">
          <button
            type="button"
            class="allow"
            disabled={!mayAnswer.value}
            onClick={() => void answerSelected(true)}
          >
            Allow {these(chosen.length)} <kbd>A</kbd>
          </button>
          <button
            type="button"
            class="deny"
            disabled={!mayAnswer.value}
            onClick={() => void answerSelected(false)}
          >
            Deny {these(chosen.length)} <kbd>D</kbd>
          </button>
        </div>
      ) : (
        <p>Plans, questions and forms are answered one by one.</p>
      )}
    </div>
  )
}

function these(count: number): string {
  return count === 1 ? 'this one' : `these ${count}`
}

function SameAsFocused({ open }: { readonly open: readonly PendingQuestion[] }) {
  const focused = open.find(({ id }) => id === focusedId.value)
  const same = focused ? open.filter((each) => sameCall(each) === sameCall(focused)) : []
  if (same.length < 2 || focused?.kind !== 'tool') return null
  const count = new Set(same.map(({ sessionId }) => sessionId)).size
  return (
    <p class="selection">
      Asked {same.length} times{count > 1 ? ` in ${count} sessions` : ''}.{' '}
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

function sameCall({ kind, toolName, inputSha256 }: PendingQuestion): string {
  return `${kind} ${toolName} ${inputSha256}`
}
