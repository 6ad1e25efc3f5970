import { visibleText } from '../../../src/text/visible-text.ts'
import { decidedChange } from '../../../src/preview/file-change.ts'
import { DiffView } from '../diff/diff-view.tsx'
import { CommandView, Rows, without } from '../inbox/question-body.tsx'
import { Markdown } from '../text/markdown-view.tsx'

interface CallInputProps {
  readonly toolName: string
  readonly input: unknown
}

/** What a call says, as the card of a question shows it: a command, the change of a file, a plan, else a row for each field. */
export function CallInput({ toolName, input }: CallInputProps) {
  if (typeof input !== 'object' || input === null) return <pre>{visibleText(JSON.stringify(input))}</pre>
  const fields: Readonly<Record<string, unknown>> = { ...input }
  const { command, plan, file_path: path } = fields
  if (toolName === 'Bash' && typeof command === 'string')
    return <CommandView command={command} rest={without(fields, 'command')} />
  if (toolName === 'ExitPlanMode' && typeof plan === 'string')
    return (
      <>
        <Markdown text={plan} />
        <Rows input={without(fields, 'plan')} />
      </>
    )
  const change = decidedChange({ kind: 'tool', toolName, input: fields, openedAt: 0 })
  if (!change || typeof path !== 'string') return <Rows input={fields} />
  return (
    <>
      <p class="path">
        <code>{visibleText(path)}</code>
      </p>
      <DiffView path={path} lines={change.lines} isPlaced={false} />
      <Rows input={without(fields, 'file_path', 'old_string', 'new_string', 'content')} />
    </>
  )
}
