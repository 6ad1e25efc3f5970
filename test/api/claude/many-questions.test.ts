import { expect, onTestFinished, test } from 'vitest'
import { respond } from '../../../src/api/claude/respond.ts'
import { status } from '../../../src/api/claude/status.ts'
import type { StatusView } from '../../../src/api/claude/status-view.ts'
import type { Operation } from '../../../src/api/operation/operation.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { ME, startEngine } from '../../rig/hubs/engines.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

const COUNT = 20
/** Half of them commands, half of them files of a page each. */
const inputOf = (at: number) =>
  at % 2 === 0
    ? { command: `mkdir -p build/${at} && touch build/${at}/done`, description: 'Makes a folder' }
    : { file_path: `page-${at}.md`, content: 'A line of a page.\n'.repeat(60) }

/** A session that asks many things at once, and a parent whose every word is counted. */
async function manyAsked() {
  const rig = await startEngine('here on memory')
  const { id: sessionId } = await rig.create({ carrier: 'mcp' })
  const caller: Caller = {
    id: asCallerId(`session ${sessionId}`),
    kind: 'session',
    name: sessionId,
    scopes: [],
    person: false,
  }
  const over = new AbortController()
  onTestFinished(() => over.abort())
  for (let at = 0; at < COUNT; at++) {
    const asked = {
      toolName: at % 2 === 0 ? 'Bash' : 'Write',
      input: inputOf(at),
      toolUseId: `toolu_${at}`,
    }
    void rig.parts.app.engine.ask({ caller, signal: over.signal }, asked, over.signal).catch(() => {})
    await expect.poll(() => rig.engine.pending(ME, { sessionId }), { interval: 1 }).toHaveLength(at + 1)
  }
  let read = 0
  const call = async (operation: Operation, input: object): Promise<StatusView> => {
    const result = await operation.call({ engine: rig.engine, call: ME }, { sessionId, ...input })
    const text = JSON.stringify(result)
    read += text.length
    return JSON.parse(text) as StatusView
  }
  const look = (input: object = {}) => call(status, { waitSeconds: 0, ...input })
  const allow = (id: string | undefined) => call(respond, { id, answers: ['allow'] })
  return { look, allow, read: () => read }
}

test('twenty questions at once, answered one by one, cost a parent less than 40 kB to read', async () => {
  const { look, allow, read } = await manyAsked()
  for (let left = COUNT; left > 0; left--) {
    const { pendingQuestion, pendingCount = 1 } = await look()
    expect(pendingCount).toBe(left)
    expect(pendingQuestion?.input).toEqual(inputOf(COUNT - left))
    await allow(pendingQuestion?.id)
  }
  expect(await look()).not.toHaveProperty('pendingQuestion')
  expect(read()).toBeLessThan(40_000)
})

test('new questions are listed in full while they are short; later the oldest and the count, and all of them on request', async () => {
  const { look, allow } = await manyAsked()
  const first = await look()
  const { pendingQuestions = [] } = first
  expect(pendingQuestions).toHaveLength(COUNT)
  expect(pendingQuestions[1]).toMatchObject({ input: inputOf(1) })
  const last = { toolName: 'Write', line: 'Claude wants to use Write: page-19.md' }
  expect(pendingQuestions.at(-1)).toEqual({
    id: expect.any(String) as string,
    shortId: expect.stringMatching(/^[0-9a-f]{8}\.20$/) as string,
    type: 'tool_approval',
    ...last,
  })
  await allow(pendingQuestions[4]?.id)
  const second = await look()
  expect(second).toMatchObject({ pendingQuestion: { id: pendingQuestions[0]?.id }, pendingCount: COUNT - 1 })
  expect(second.pendingQuestions).toHaveLength(1)
  const all = await look({ afterSeq: 0 })
  expect(all.pendingQuestions).toHaveLength(COUNT - 1)
  const full = await look({ fullInput: true })
  expect(full.pendingQuestions?.at(-1)).toMatchObject({ input: inputOf(19) })
})
