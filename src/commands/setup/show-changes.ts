import { redact } from '../../base/log.ts'
import type { Output } from '../../command-line/output.ts'
import { changedLines } from '../../setup/files/changed-lines.ts'
import type { FileChange } from '../../setup/files/file-change.ts'
import { visibleText } from '../../text/visible-text.ts'

/** A line around the change may be as long as a file. */
const MAX_LINE = 500

/** What would change in each file. Other settings in the lines around it may be secrets, and are not shown as they are. */
export function showChanges(changes: readonly FileChange[], out: Output): void {
  for (const { path, before, after } of changes) {
    out.say(
      out.style(
        'strong',
        `${path}${before === undefined ? ' (new)' : ''}${after === undefined ? ' (removed)' : ''}`,
      ),
    )
    for (const { sign, text } of changedLines(before ?? '', after ?? '')) {
      const line = `${sign} ${visibleText(redact(text.replace(/\r$/, '').slice(0, MAX_LINE)))}`
      out.say(sign === ' ' ? out.style('faint', line) : out.style(sign === '+' ? 'good' : 'bad', line))
    }
  }
}
