import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { FileChange } from '../../../src/preview/file-change.ts'
import { hub } from '../hub/connection.ts'

type Asked = Pick<PendingQuestion, 'id' | 'sessionId' | 'input' | 'status'>

/** What was shown of open questions, by question and input: it is shown again once they are settled. */
const kept = new Map<string, FileChange>()
const MAX_KEPT = 50

/**
 * What an edit or a write would do to the file as it is now; the hub reads the file. Of a settled question: what the person
 * was shown before they decided, else what the input alone says. A comparison with the file of today would show what nobody
 * decided on.
 */
export async function changeOf({ id, sessionId, input, status }: Asked): Promise<FileChange | null> {
  const key = `${id} ${JSON.stringify(input)}`
  const shown = status === 'pending' ? undefined : kept.get(key)
  if (shown) return shown
  const change = (await hub.call('previewChange', { approvalId: id, sessionId, input })) ?? null
  if (status === 'pending' && change) {
    kept.set(key, { ...change, note: change.note.replace(SINCE, '') })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  }
  return change
}

/** It warned before the decision; afterwards it would warn of the decision itself. */
const SINCE = ', the file was changed since this was asked'
