import { answerRpc } from '../src/transports/routes/rpc.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { Reader } from './harness/reader.ts'
import {
  type Hub,
  operator,
  questionOf,
  type Talker,
  toolResultOf,
  withTalkers,
} from './harness/talking-hub.ts'

export const figure: Figure = {
  id: 'family-parity',
  title: 'a question looked at and answered by claudecode.poll and loopback.respond',
  reference: 'the same by claude_status and claude_respond',
  unit: 'ms',
  goal: { max: 1.1 },
  run: () =>
    withTalkers(async (hub, start) => {
      const talker = await start()
      const reader = new Reader(hub, talker.id)
      let asked = 0
      const round = (answer: (approvalId: string) => Promise<void>) => async () => {
        const name = String(asked++)
        await talker.say(questionOf(name))
        const { approvalId } = await reader.event('approval.opened')
        const begin = performance.now()
        await answer(approvalId)
        const took = performance.now() - begin
        await talker.say(toolResultOf(name))
        await reader.event('tool.finished') // so that nothing of it falls into the next
        return took
      }
      return inPairs(300, round(throughB(hub, talker)), round(throughA(hub, talker)))
    }),
}

function throughA(hub: Hub, { id: sessionId }: Talker): (approvalId: string) => Promise<void> {
  return async (approvalId) => {
    await call(hub, 'claude_status', { sessionId, waitSeconds: 0 }, approvalId)
    await call(hub, 'claude_respond', { sessionId, id: approvalId, answers: ['allow'] }, approvalId)
  }
}

function throughB(hub: Hub, { id: session_id }: Talker): (approvalId: string) => Promise<void> {
  return async (approvalId) => {
    await call(hub, 'claudecode.poll', { session_id }, approvalId)
    await call(hub, 'loopback.respond', { approval_id: approvalId, approve: true }, approvalId)
  }
}

/** As it comes over HTTP, and as it goes back; the answer must speak of the question. */
async function call({ engine }: Hub, method: string, params: object, approvalId: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const told = JSON.stringify(
    await answerRpc({ engine, onError: console.error, onRefused: () => {} }, operator, body),
  )
  if (!told.includes(approvalId) || told.includes('"error"')) throw new Error(`${method} failed: ${told}`)
}
