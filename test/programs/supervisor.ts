/**
 * A small supervisor for tests: one session, a journal file as its store, made to be killed and started again.
 * It has the shape that the hub has: parse, commit events and offset together, do the side effects after it.
 *
 *   node supervisor.mjs FOLDER      FOLDER/spec.json says what to run, FOLDER/journal.jsonl is what happened
 *
 * stdout: one line per committed event, those of earlier lives first. stdin: one command per line (see Command).
 * A crash switch (spec.crash) ends this process with SIGKILL at a named point, before or after a commit or a put.
 */
import { appendFileSync, existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseLine } from '../../src/child/child-line.ts'
import type { Child } from '../../src/child/child-process.ts'
import { type ControlRequest, initialize } from '../../src/child/control.ts'
import { ControlRequests } from '../../src/child/control-requests.ts'
import { hookOpinion } from '../../src/child/hook-opinion.ts'
import { eventsOf } from '../../src/child/line-to-events.ts'
import { Deliveries } from '../../src/child/owed.ts'
import { sentenceOf } from '../../src/child/run-end.ts'
import { readStderrTail } from '../../src/child/run-folder.ts'
import { evolve, initialRunState, pendingApprovals, type RunState } from '../../src/child/run-state.ts'
import { adoptChild, startChild } from '../../src/child/start-child.ts'
import { takeIn } from '../../src/child/take-in.ts'
import type { Decision, SessionEvent } from '../../src/events/session-event.ts'

export interface Spec {
  readonly sessionId: string
  readonly cli: string
  readonly cliVersion: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly workingDirectory: string
  readonly leaseSeconds: number
  readonly plexusHome: string
  readonly supervise: 'asked' | 'writes' | 'all'
  /** What to do with a question: answer it at once, or leave it to the commands on stdin. */
  readonly answer: 'allow' | 'deny' | 'hold'
  readonly prompt: string
  readonly crash?: Crash
}

/** At the `nth` time that `event` is about to be committed, has been committed, or its side effects are done. */
export interface Crash {
  readonly point: 'before-commit' | 'after-commit' | 'after-put' | 'in-put'
  readonly event: SessionEvent['type']
  readonly nth: number
}

export type Command =
  | { say: string; promptId: string }
  | { settle: string; decision: Decision }
  | { control: ControlRequest }
  | { stop: true }
  | { close: true }

interface Entry {
  readonly run: string
  readonly offset: number
  readonly events: readonly SessionEvent[]
}

const folder = process.argv[2] ?? '.'
const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as Spec
const journal = join(folder, 'journal.jsonl')
const policy = {
  supervise: spec.supervise,
  folders: [spec.workingDirectory],
  plexusHome: spec.plexusHome,
  cliVersion: spec.cliVersion,
}
const context = {
  sessionId: spec.sessionId,
  opinion: (call: { toolName: string; input: unknown }) => hookOpinion(policy, call),
}

let state: RunState = initialRunState
let offset = 0
let run = ''
let runs = 0
let open = false
let ranAtAll = false
let seq = 0
const met = { count: 0 }

function load(): void {
  if (!existsSync(journal)) return
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1) // what a crash cut off was not committed
  for (const entry of lines.map((line) => JSON.parse(line) as Entry)) {
    ;({ run, offset } = entry)
    state = entry.events.reduce(evolve, state)
    tell(entry.events)
  }
}

function crashAt(point: Crash['point'], events: readonly SessionEvent[]): void {
  const { crash } = spec
  if (crash?.point !== point) return
  met.count += events.filter(({ type }) => type === crash.event).length
  if (met.count >= crash.nth) process.kill(process.pid, 'SIGKILL')
}

/** The transaction: one append. */
function commit(events: readonly SessionEvent[], next = offset): void {
  const taken = takeIn(state, events)
  crashAt('before-commit', taken.events)
  offset = next
  state = taken.state
  appendFileSync(journal, `${JSON.stringify({ run, offset, events: taken.events } satisfies Entry)}\n`)
  crashAt('after-commit', taken.events)
  tell(taken.events)
}

function tell(events: readonly SessionEvent[]): void {
  for (const { type } of events) {
    if (type === 'run.started') runs += 1
    if (type === 'run.started' || type === 'run.ended') open = type === 'run.started'
    if (type === 'turn.started') ranAtAll = true
  }
  for (const event of events) process.stdout.write(`${JSON.stringify({ seq: ++seq, event })}\n`)
}

function settled(approvalId: string, decision: Decision): SessionEvent {
  const status = decision.behavior === 'deny' ? 'denied' : 'allowed'
  return { type: 'approval.settled', approvalId, status, decision, by: 'test' }
}

async function sideEffects(events: readonly SessionEvent[]): Promise<void> {
  if (spec.answer !== 'hold') {
    for (const { approvalId, input } of pendingApprovals(state))
      commit([
        settled(
          approvalId,
          spec.answer === 'allow'
            ? { behavior: 'allow', updatedInput: input }
            : { behavior: 'deny', message: 'no' },
        ),
      ])
  }
  await deliveries.deliver(state)
  crashAt('after-put', events)
}

/** A run that never came to be (we died before its keeper listened) leaves its prompt owed: the next run gets it. */
async function nextChild(): Promise<Child> {
  const { sessionId, cli, args, env, workingDirectory, leaseSeconds } = spec
  run = join(folder, `run-${runs + 1}`)
  offset = 0
  commit([{ type: 'run.started', runId: run }])
  return startChild({
    sessionId,
    runPath: run,
    cli,
    args,
    env,
    workingDirectory,
    leaseSeconds,
    messages: [initialize(leaseSeconds)],
  })
}

let child: Child
let control: ControlRequests
let deliveries: Deliveries

async function follow(): Promise<void> {
  control = new ControlRequests((message) => child.put(message))
  deliveries = new Deliveries((message) => child.put(message))
  if (spec.crash?.point === 'in-put') dieInPut(child.run.path)
  await sideEffects([])
  for await (const batch of child.read(offset)) {
    const lines = batch.lines.map(parseLine)
    for (const line of lines) control.take(line)
    const events = lines.flatMap((line) => eventsOf(line, context))
    commit(events, batch.offset)
    await sideEffects(events)
  }
  const end = await child.ended
  const failed = end.kind !== 'exited' || end.code !== 0
  const error = failed
    ? { error: { code: 'cli_failed', message: sentenceOf(end, await readStderrTail(child.run)) } }
    : {}
  commit([{ type: 'run.ended', runId: run, ...error }], 0)
}

/** Dies while a message is half written: its draft is there, the whole of it is not. */
function dieInPut(path: string): void {
  watch(path, (_, name) => {
    if (name?.startsWith('draft-')) process.kill(process.pid, 'SIGKILL')
  })
}

async function obey(command: Command): Promise<void> {
  if ('say' in command)
    commit([{ type: 'prompt.accepted', promptId: command.promptId, content: command.say }])
  if ('settle' in command) commit([settled(command.settle, command.decision)])
  if ('control' in command) {
    const answer = await control.send(command.control, AbortSignal.timeout(10_000)).catch((error: Error) => ({
      refused: error.message,
    }))
    process.stdout.write(`${JSON.stringify({ answer })}\n`)
  }
  if ('stop' in command) {
    await child.stop()
    process.stdout.write(`${JSON.stringify({ answer: 'stopped' })}\n`)
  }
  await sideEffects([])
}

const obeying: Promise<void>[] = []
load()
if (seq === 0) commit([{ type: 'prompt.accepted', promptId: crypto.randomUUID(), content: spec.prompt }])
child = open ? await adoptChild(run, spec.sessionId) : await nextChild()
createInterface({ input: process.stdin }).on('line', (line) =>
  obeying.push(obey(JSON.parse(line) as Command)),
)
await follow()
if (state.prompts.size > 0 && !ranAtAll) {
  child = await nextChild()
  await follow()
}
await Promise.all(obeying)
process.exit(0)
