import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { hub } from '../hub/connection.ts'
import { useLoaded } from '../hub/loaded.ts'
import { Markdown } from '../text/markdown-view.tsx'
import { DiffView } from './diff-view.tsx'

/** Exactly what would happen. Nothing is hidden: what has no view of its own is shown as rows, and all of it as JSON below. */
export function QuestionBody({
  question,
  input,
}: {
  question: PendingQuestion
  input?: PendingQuestion['input']
}) {
  const shown = input ?? question.input
  const { kind, toolName } = question
  return (
    <>
      {kind === 'plan' && typeof shown['plan'] === 'string' ? (
        <Markdown text={shown['plan']} />
      ) : kind === 'tool' && toolName === 'Bash' && typeof shown['command'] === 'string' ? (
        <CommandView command={shown['command']} rest={without(shown, 'command')} />
      ) : kind === 'tool' && typeof shown['file_path'] === 'string' && CHANGES.has(toolName) ? (
        <ChangeView question={question} path={shown['file_path']} input={shown} />
      ) : kind === 'question' || kind === 'form' || kind === 'budget' ? null : (
        <Rows input={shown} />
      )}
      <details>
        <summary>Exact input (sha256 {question.inputSha256.slice(0, 12)})</summary>
        <pre tabIndex={0}>{visibleText(JSON.stringify(shown, null, 2))}</pre>
      </details>
    </>
  )
}

const CHANGES = new Set(['Edit', 'Write'])

function without(input: PendingQuestion['input'], field: string): PendingQuestion['input'] {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== field))
}

function CommandView({ command, rest }: { command: string; rest: PendingQuestion['input'] }) {
  return (
    <>
      <pre class="command" tabIndex={0} aria-label="The command">
        {visibleText(command)}
      </pre>
      <Rows input={rest} />
    </>
  )
}

/** A row for each field. */
function Rows({ input }: { input: PendingQuestion['input'] }) {
  const entries = Object.entries(input)
  if (entries.length === 0) return null
  return (
    <dl class="rows">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>{visibleText(typeof value === 'string' ? value : JSON.stringify(value))}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What an edit or a write would do to the file as it is now; the hub reads the file. */
function ChangeView({
  question,
  path,
  input,
}: {
  question: PendingQuestion
  path: string
  input: PendingQuestion['input']
}) {
  const { id: approvalId, sessionId, inputSha256 } = question
  const change = useLoaded(
    () => hub.call('previewChange', { approvalId, sessionId, input }),
    [approvalId, inputSha256, input],
  )
  const found = change.value
  return (
    <>
      <p class="path">
        <code>{visibleText(path)}</code>
        {found && <span class={found.note.includes('since') ? 'attention' : 'faint'}> {found.note}</span>}
      </p>
      {found === undefined ? (
        <p aria-busy="true" class="faint">
          Reading the file …
        </p>
      ) : found === null ? (
        <Rows input={without(input, 'file_path')} />
      ) : (
        <DiffView path={path} lines={found.lines} />
      )}
    </>
  )
}
