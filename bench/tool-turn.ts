import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { OPTIONS } from '../src/approvals/question.ts'
import { StartOptions } from '../src/child/launch/start-options.ts'
import { userMessage } from '../src/child/lines/stdin-messages.ts'
import { type Figure, inPairs, type Measure } from './harness/figure.ts'
import { type HubRig, withHubAt } from './harness/hub-rig.ts'
import { Reader } from './harness/reader.ts'
import { operator } from './harness/talking-hub.ts'

export const figure: Figure = {
  id: 'P2',
  title: 'turn with a tool that is asked for and allowed at once, model replies 150 ms late',
  reference: 'the same turn of a bare CLI, allowed beforehand',
  unit: 'ms',
  goal: { max: 1.1, addedMax: 25 },
  run: () =>
    withModel((modelUrl) =>
      withHubAt(modelUrl, async (rig) => {
        const over = new AbortController()
        const ours = await turnOfOurs(rig, over.signal)
        const bare = bareCli(rig)
        try {
          return await inPairs(100, ours, bare.turn)
        } finally {
          over.abort()
          await bare.end()
        }
      }),
    ),
}

async function withModel<T>(work: (url: string) => Promise<T>): Promise<T> {
  const model = fork(new URL('harness/tool-turn-model.mjs', import.meta.url))
  try {
    const [url] = await once(model, 'message')
    return await work(String(url))
  } finally {
    model.disconnect()
    await once(model, 'exit')
  }
}

async function turnOfOurs({ engine, project }: HubRig, over: AbortSignal): Promise<Measure> {
  const options = StartOptions.parse({ workingDirectory: project })
  const { id } = await engine.createSession(operator, { options })
  const reader = new Reader({ engine, over }, id)
  return async () => {
    await engine.startTurn(operator, { sessionId: id, content: 'go' })
    const { approvalId } = await reader.event('approval.opened')
    await engine.answer(operator, { approvalId, answers: [OPTIONS.tool[0]] })
    await reader.event('turn.ended')
  }
}

function bareCli({ cli, env, project }: HubRig): { turn: Measure; end: () => Promise<void> } {
  const streams = ['--input-format=stream-json', '--output-format=stream-json', '--verbose']
  const child = spawn(cli, ['-p', ...streams, '--allowedTools=Bash(touch:*)'], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    turn: async () => {
      child.stdin.write(`${JSON.stringify(userMessage({ promptId: randomUUID(), content: 'go' }))}\n`)
      for (;;) {
        const { value } = await lines.next()
        const line: { type: string; is_error?: boolean; permission_denials?: unknown[] } = JSON.parse(value)
        if (line.type !== 'result') continue
        if (line.is_error || line.permission_denials?.length) throw new Error(`The turn failed: ${value}`)
        return
      }
    },
    end: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
