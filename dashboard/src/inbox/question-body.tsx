import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { useLoaded } from '../hub/loaded.ts'
import { Joined } from '../text/joined.tsx'
import { Markdown } from '../text/markdown-view.tsx'
import { AsAsked } from '../answered/as-asked.tsx'
import { DiffView } from '../diff/diff-view.tsx'
import { changeOf } from './kept-changes.ts'

interface BodyProps {
  /** With the input that is shown: after an edit, as edited. */
  readonly question: PendingQuestion
  /** What was asked, where something else is shown. */
  readonly asked?: PendingQuestion['input'] | undefined
}

/** Exactly what would happen. Nothing is hidden: what has no view of its own is shown as rows, and all of it as JSON below. */
export function QuestionBody({ question, asked }: BodyProps) {
  const { kind, toolName, input, inputSha256 } = question
  return (
    <>
      {kind === 'plan' && typeof input['plan'] === 'string' ? (
        <Markdown text={input['plan']} />
      ) : kind === 'tool' && toolName === 'Bash' && typeof input['command'] === 'string' ? (
        <CommandView command={input['command']} rest={without(input, 'command')} />
      ) : kind === 'tool' && typeof input['file_path'] === 'string' && CHANGES.has(toolName) ? (
        <ChangeView question={question} path={input['file_path']} />
      ) : kind === 'question' || kind === 'form' || kind === 'budget' ? null : (
        <Rows input={input} />
      )}
      <details>
        <summary>
          {/* The hash is that of what was asked. */}
          Exact input{asked ? ', as edited' : ` (sha256 ${inputSha256.slice(0, 12)})`}
        </summary>
        <pre tabIndex={0}>{visibleText(JSON.stringify(input, null, 2))}</pre>
      </details>
      {asked && <AsAsked input={asked} sha256={inputSha256} />}
    </>
  )
}

const CHANGES = new Set(['Edit', 'Write'])

export function without(input: PendingQuestion['input'], ...fields: string[]): PendingQuestion['input'] {
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
}

export function CommandView({ command, rest }: { command: string; rest: PendingQuestion['input'] }) {
  const { description } = rest
  const isSaid = typeof description === 'string' && description !== ''
  return (
    <>
      <pre class="command" tabIndex={0} aria-label="The command">
        <Joined text={visibleText(command)} />
      </pre>
      {isSaid && (
        <p class="said">
          The session says of it: <q>{visibleText(description)}</q>
        </p>
      )}
      <Rows input={isSaid ? without(rest, 'description') : rest} />
    </>
  )
}

/** A row for each field. */
export function Rows({ input }: { input: PendingQuestion['input'] }) {
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

/** What the call does to its file. */
function ChangeView({ question, path }: { question: PendingQuestion; path: string }) {
  const { id, status, input } = question
  const change = useLoaded(() => changeOf(question), [id, status, input])
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
        <DiffView path={path} lines={found.lines} isPlaced={!found.isUnplaced} />
      )}
    </>
  )
}
