import { join } from 'node:path'
import { parse } from 'unbash'
import type { Approval } from '../../src/approvals/approval.ts'
import { pastCalls } from '../../src/engine/learning/past-questions.ts'
import { ReplayTally } from '../../src/rules/learning/replay.ts'
import { outcomeAnew } from '../../src/sessions/in-advance/judge-anew.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { asApprovalId } from '../../test/rig/tools/ids.ts'
import { newSession, SESSION } from './filled-store.ts'
import { rulesFor } from './rules.ts'

const BATCH = 1_000
const PAGE = 500

/** Questions as a person answered them, half of which the rules of the figures allow. */
export async function storedQuestions(folder: string, count: number): Promise<Store> {
  const store = await openSqliteStore(join(folder, 'plexus.db'))
  await store.sessions.create({ ...newSession(SESSION), workingDirectory: '/work' })
  for (let stored = 0; stored < count; stored += BATCH) {
    const opened = Array.from({ length: BATCH }, (_, index) => questionOf(stored + index))
    await store.journal.append({ sessionId: SESSION, at: 1, events: [], opened })
  }
  return store
}

function questionOf(number: number): Approval {
  const command = number % 2 === 0 ? `git commit -m "part ${number}" && npm test` : `make part-${number}`
  return {
    id: asApprovalId(`approval-${number}`),
    sessionId: SESSION,
    number,
    turn: 1,
    kind: 'tool',
    toolName: 'Bash',
    input: { command, description: 'Builds a part' },
    inputSha256: 'ab'.repeat(32),
    requestId: `request-${number}`,
    toolUseId: `toolu_${number}`,
    cwd: '/work',
    carrier: 'control',
    openedAt: number,
    status: 'allowed',
    decision: { behavior: 'allow', updatedInput: { command, description: 'Builds a part' } },
    by: 'operator',
    via: 'page',
    settledAt: number,
    delivery: 'acknowledged',
  }
}

/** As the verb does it, with 1,000 rules; `onPage` is called after each page. */
export async function replayAll(store: Store, onPage: (questions: number) => void = () => {}): Promise<void> {
  const rules = rulesFor(1_000)
  const tally = new ReplayTally()
  const environment = { home: '/home/me/plexus', env: { HOME: '/home/me' } }
  let questions = 0
  for await (const calls of pastCalls({ store, environment }, { since: 0 })) {
    for (const { question, judged } of calls) {
      const { outcome, ruleId } = outcomeAnew(question, rules, judged)
      tally.add(question, outcome, ruleId)
      questions += 1
    }
    onPage(questions)
  }
  if (tally.report().newlyAllowed.count !== tally.report().unchanged)
    throw new Error('Half of the questions should be newly allowed.')
}

/** Reads all questions, and parses their commands. */
export async function readAndParse(store: Store): Promise<void> {
  let before: Approval['id'] | undefined
  for (;;) {
    const page = await store.approvals.settled({ before, limit: PAGE })
    for (const { input } of page) parse(String(input['command']))
    before = page.at(-1)?.id
    if (page.length < PAGE) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}
