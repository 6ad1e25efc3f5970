import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { OPTIONS } from '../src/approvals/question.ts'
import type { Figure, Samples } from './harness/figure.ts'
import { ask } from './harness/pending.ts'
import { type Hub, operator, type Talker, withTalkers } from './harness/talking-hub.ts'

const SESSIONS = 10
const QUESTIONS = 10
const ROUNDS = 40
const ROUND_MS = 1_000

export const figure: Figure = {
  id: 'P10',
  title: 'processor time of an idle hub in 1 s, 10 live sessions with 10 pending questions each',
  reference: 'the same with all of them answered',
  unit: 'ms',
  goal: { max: 1.1 },
  run: async () => {
    const hubs = await Promise.all([startHub(true), startHub(false)])
    try {
      const samples: Samples = { ours: [], reference: [] }
      for (let round = -1; round < ROUNDS; round++) {
        const before = await Promise.all(hubs.map(cpuOf))
        await setTimeout(ROUND_MS)
        const after = await Promise.all(hubs.map(cpuOf))
        const [ours = 0, reference = 0] = after.map((cpu, at) => cpu - (before[at] ?? 0))
        if (round < 0) continue // what was left to do from the start
        samples.ours.push(ours)
        samples.reference.push(reference)
      }
      return samples
    } finally {
      for (const hub of hubs) {
        hub.disconnect()
        await once(hub, 'exit')
      }
    }
  },
}

/** In a process of its own: tells its processor time whenever it is asked, until nobody can ask. */
export async function idleHub(pending: boolean): Promise<void> {
  await withTalkers(async (hub, start) => {
    for (let at = 0; at < SESSIONS; at++) {
      const talker = await start()
      await ask(hub, talker, QUESTIONS)
      if (!pending) await answerAll(hub, talker)
    }
    const over = once(process, 'disconnect')
    process.on('message', tell)
    tell()
    await over
  })
}

function tell(): void {
  process.send?.(process.cpuUsage())
}

async function answerAll({ engine }: Hub, { id: sessionId }: Talker): Promise<void> {
  for (const { id: approvalId } of await engine.pending(operator, { sessionId }))
    await engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
}

async function startHub(pending: boolean): Promise<ChildProcess> {
  const program = `import { idleHub } from ${JSON.stringify(import.meta.url)}; await idleHub(${pending})`
  const hub = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(hub, 'message')
  return hub
}

async function cpuOf(hub: ChildProcess): Promise<number> {
  const told = once(hub, 'message')
  hub.send('cpu')
  const [{ user, system }] = await told
  return (user + system) / 1_000
}
