import { expect, test } from 'vitest'
import type { ControlRequest } from '../../../src/child/lines/stdin-messages.ts'
import { interruptTurn } from '../../../src/sessions/run/interrupt-turn.ts'
import { accepted, turnEnded } from '../../rig/cli/event-stories.ts'
import { memoryWriter } from '../../rig/hubs/memory-writer.ts'

const cancel = (id: string) => ({ subtype: 'cancel_async_message', message_uuid: id })
const INTERRUPT = { subtype: 'interrupt' }

/** Interrupts a session with the prompts p and q; the child gives this answer to a request to cancel p. */
async function interrupted({ answer, holdsPrompts = false }: { answer: unknown; holdsPrompts?: boolean }) {
  const { writer } = await memoryWriter(accepted('p'), accepted('q'))
  const requests: ControlRequest[] = []
  const request = async (asked: ControlRequest) => {
    requests.push(asked)
    if (asked.subtype === 'interrupt')
      setImmediate(() => void writer.append([{ ...turnEnded(), outcome: 'interrupted' }]))
    if (asked.subtype !== 'cancel_async_message') return undefined
    if (asked['message_uuid'] === 'q') return { cancelled: true }
    if (answer instanceof Error) throw answer
    return answer
  }
  await interruptTurn({ request, holdsPrompts }, writer)
  return { requests, left: [...writer.state.open.prompts.keys()], inTurn: writer.state.inTurn }
}

const inTurn = [
  accepted('p'),
  { type: 'turn.started', cliSessionId: 's' },
  { type: 'prompt.echoed', promptId: 'p' },
] as const

test.each([
  ['is on record', [{ ...turnEnded(), outcome: 'interrupted' } as const]],
  ['and the next turn are on record', [turnEnded(), accepted('next')]],
])('it returns when the end of the turn %s, which comes after the answer of the child', async (_, events) => {
  const { writer } = await memoryWriter(...inTurn)
  let isOver = false
  const request = async () => {
    setImmediate(() => void writer.append(events).then(() => (isOver = true)))
    return undefined
  }
  expect(writer.state.inTurn).toBe(true)
  await interruptTurn({ request, holdsPrompts: false }, writer)
  expect(isOver).toBe(true)
})

test('queued prompts are cancelled before the turn is interrupted, and then withdrawn', async () => {
  expect(await interrupted({ answer: { cancelled: true } })).toEqual({
    requests: [cancel('p'), cancel('q'), INTERRUPT],
    left: [],
    inTurn: false,
  })
})

test.each([{ cancelled: false }, {}, undefined, null, 'cancelled', new Error('ended')])(
  'a prompt stays where the child answers %j, and the turn is interrupted all the same',
  async (answer) => {
    const { requests, left } = await interrupted({ answer })
    expect(requests).toContainEqual(INTERRUPT)
    expect(left).toEqual(['p'])
  },
)

test('prompts that the child was not given yet are withdrawn without a request', async () => {
  expect(await interrupted({ answer: undefined, holdsPrompts: true })).toEqual({
    requests: [INTERRUPT],
    left: [],
    inTurn: false,
  })
})
