/** Home folders with sessions that have a past, for a hub that is started there. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { asApprovalId, asSessionId } from '../tools/ids.ts'

const BATCH = 1_000
const PER_TURN = 20

/** A store in a home folder, before its hub is started. */
export async function inHome(home: string, work: (store: Store) => Promise<void>): Promise<void> {
  await mkdir(home, { mode: 0o700 })
  const store = await openSqliteStore(join(home, 'plexus.db'))
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Events as a long conversation has them: prompts, texts of many lengths, calls with their questions and results. */
export async function addLongPast(store: Store, id: string, count: number): Promise<void> {
  const sessionId = asSessionId(id)
  for (let stored = 0; stored < count; stored += BATCH)
    await store.journal.append({
      sessionId,
      at: Date.now(),
      events: Array.from({ length: Math.min(BATCH, count - stored) }, (_, index) => ({
        turn: Math.floor((stored + index) / PER_TURN) + 1,
        event: eventAt(stored + index),
      })),
    })
}

function eventAt(number: number): SessionEvent {
  const call = Math.floor(number / 5) * 5
  const toolUseId = `toolu-${call}`
  const approvalId = asApprovalId(`question-${call}`)
  if (number % PER_TURN === 0)
    return { type: 'prompt.accepted', promptId: `p${number}`, content: `Prompt ${number}: do the next part.` }
  if (number % PER_TURN === PER_TURN - 1) return { type: 'turn.ended', outcome: 'done' }
  switch (number % 5) {
    case 0:
      return { type: 'text', text: textOf(number) }
    case 1: {
      const input = { command: `npm test -- part-${number} && git status --short` }
      return { type: 'tool.used', toolUseId, toolName: 'Bash', input }
    }
    case 2: {
      const asked = { kind: 'tool', requestId: `r${number}`, toolName: 'Bash', input: {}, toolUseId } as const
      return { type: 'approval.opened', approvalId, ...asked }
    }
    case 3:
      return { type: 'approval.settled', approvalId, status: 'allowed', by: 'laptop' }
    default:
      return { type: 'tool.finished', toolUseId, isError: false, content: `ok ${number}\n`.repeat(20) }
  }
}

/** From one line to a list and code of many. */
function textOf(number: number): string {
  const lines = Array.from(
    { length: number % 13 },
    (_, line) => `- point ${line} of **text ${number}**, with \`code\``,
  )
  const code = number % 3 === 0 ? `\n\n\`\`\`ts\nconst value = ${number}\nreturn value + 1\n\`\`\`` : ''
  return `needle-${number} I have read the file and change it.\n\n${lines.join('\n')}${code}`
}
