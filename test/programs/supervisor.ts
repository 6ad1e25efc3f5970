/**
 * The product's own sessions in a process that tests kill and start again: one session, SQLite, nothing else.
 *
 *   node supervisor.mjs FOLDER      FOLDER/spec.json says what to run
 *
 * stdout: one line per stored event, those of earlier lives first. stdin: one command per line (see Command).
 * A crash switch (spec.crash) ends this process with SIGKILL at a named moment.
 */
import { readFileSync, watch } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ControlRequest } from '../../src/child/lines/stdin-messages.ts'
import type { StartOptions } from '../../src/child/launch/start-options.ts'
import type { Decision } from '../../src/events/decision.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { SessionQuestions } from '../../src/sessions/run/session-questions.ts'
import type { LiveSession } from '../../src/sessions/live-session.ts'
import type { Utterance } from '../../src/sessions/launch/prompt-kinds.ts'
import type { Moment } from '../../src/sessions/writing/session-writer.ts'
import { followPages } from '../../src/sessions/record/read-events.ts'
import { homeRules } from '../../src/hub/rules-files.ts'
import { createApp } from '../../src/assembly/app.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { PermitServer } from '../rig/cli/permit-server.ts'
import { asApprovalId, asCallerId, asSessionId } from '../rig/tools/ids.ts'

export interface Spec {
  readonly sessionId: string
  readonly cli: string
  readonly cliVersion: string
  readonly options: StartOptions
  readonly env: Record<string, string>
  readonly plexusHome: string
  readonly trusted: readonly string[]
  readonly leaseSeconds: number
  /** What to do with a question: answer it at once, or leave it to the commands on stdin. */
  readonly answer: 'allow' | 'deny' | 'hold'
  readonly prompt: Utterance
  readonly crash?: Crash
}

/** At the `nth` time that an event of this type meets that moment. `in-put`: while a message is half written. */
export interface Crash {
  readonly point: Moment | 'in-put'
  readonly event: SessionEvent['type']
  readonly nth: number
}

export type Command =
  | { say: Utterance }
  | { settle: string; decision: Decision }
  | { control: ControlRequest }
  | { stop: true }

const folder = process.argv[2] ?? '.'
const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as Spec
const { sessionId, crash } = spec
let met = 0

function onMoment(moment: Moment, events: readonly SessionEvent[]): void {
  if (crash?.point !== moment) return
  met += events.filter(({ type }) => type === crash.event).length
  if (met >= crash.nth) process.kill(process.pid, 'SIGKILL')
}

const store = await openSqliteStore(join(folder, 'plexus.db'))
const permit = spec.options.carrier === 'mcp' ? new PermitServer(store) : undefined
if (permit) {
  // The next life takes the port of this one.
  const note = join(folder, 'port')
  await permit.listen(Number(await readFile(note, 'utf8').catch(() => '0')))
  await writeFile(note, String(permit.port))
}
const environment = {
  permitUrl: () => permit?.url,
  isAnswering: () => permit?.isAnswering ?? true,
  home: spec.plexusHome,
  env: spec.env,
  leaseSeconds: spec.leaseSeconds,
  trusted: () => spec.trusted,
  rules: homeRules(spec.plexusHome, { warn: (text) => process.stderr.write(`${text}\n`) }),
  findCli: async () => ({ path: spec.cli, version: spec.cliVersion }),
  transcriptOf: async () => undefined,
  openElsewhere: async () => undefined,
  onError: (error: unknown) => process.stderr.write(`${String(error)}\n`),
}
const limits = { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 }
const { supervisor, engine } = await createApp({ store, environment, limits, onMoment })

async function printEvents(): Promise<void> {
  const { signal } = new AbortController()
  for await (const { events } of followPages(store, supervisor.doorbells, sessionId, { after: 0, signal })) {
    for (const { seq, event } of events) {
      process.stdout.write(`${JSON.stringify({ seq, event })}\n`)
      if (event.type === 'approval.opened') await answer(event.approvalId, event.input)
    }
  }
}

async function answer(approvalId: string, input: Record<string, unknown>): Promise<void> {
  const pending = (await store.approvals.get(approvalId))?.status === 'pending'
  if (spec.answer === 'hold' || !pending) return
  const allow = { behavior: 'allow', updatedInput: input } as const
  await settle(approvalId, spec.answer === 'allow' ? allow : { behavior: 'deny', message: 'no' })
}

async function settle(approvalId: string, decision: Decision): Promise<void> {
  const status = decision.behavior === 'deny' ? 'denied' : 'allowed'
  const settled = { approvalId: asApprovalId(approvalId), status, decision, by: 'test' } as const
  await SessionQuestions.settle([{ questions: live.questions, settled: [settled] }])
}

async function obey(command: Command): Promise<unknown> {
  if ('say' in command) return live.say(command.say)
  if ('settle' in command) return settle(command.settle, command.decision)
  if ('control' in command) return live.request(command.control)
  return live.stop()
}

/** Dies while a message is half written: its draft is there, the whole of it is not. */
function dieInPut(): void {
  watch(join(spec.plexusHome, 'runs'), { recursive: true }, (_, name) => {
    if (name && basename(name).startsWith('draft-')) process.kill(process.pid, 'SIGKILL')
  })
}

permit?.answerFrom(engine)
const known = await store.sessions.get(sessionId)
if (!known)
  await supervisor.begin(
    { options: spec.options, owner: asCallerId('test'), id: asSessionId(sessionId) },
    spec.prompt,
  )
const live: LiveSession = await supervisor.wake(sessionId)
if (crash?.point === 'in-put') dieInPut()
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, command } = JSON.parse(line) as { id: number; command: Command }
  const result = obey(command).catch((error: Error) => ({ refused: error.message }))
  void result.then((answered) =>
    process.stdout.write(`${JSON.stringify({ id, answer: answered ?? null })}\n`),
  )
})
await printEvents()
