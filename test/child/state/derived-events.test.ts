import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256Of } from '../../../src/base/ids.ts'
import { ownToolName } from '../../../src/child/launch/mcp-servers.ts'
import { evolve, initialRunState } from '../../../src/child/state/run-state.ts'
import { takeIn } from '../../rig/cli/take-in.ts'
import type { Command, SessionEvent } from '../../../src/events/session-event.ts'
import {
  accepted,
  allow,
  cancelled,
  cuts,
  finished,
  histories,
  inBatches,
  opened,
  refused,
  seen,
  settled,
  turnEnded,
} from '../../rig/cli/event-stories.ts'
import { asRunId } from '../../rig/tools/ids.ts'

const told = (...events: SessionEvent[]): SessionEvent[] => takeIn(initialRunState, events).events
const typesOf = (events: readonly SessionEvent[]): string => events.map(({ type }) => type).join(' ')
const unread: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }
const runEnded: SessionEvent = { type: 'run.ended', runId: asRunId('r') }

test('a call that nobody was asked about is reported as unasked before it is reported as finished', () => {
  expect(told(seen('1'), finished('1'))).toEqual([
    seen('1'),
    { type: 'tool.unasked', toolUseId: 'tool-1', toolName: 'Bash' },
    finished('1'),
  ])
})

test.each<[string, SessionEvent[]]>([
  ['that was asked about', [seen('1'), opened('1', 'tool-1'), finished('1')]],
  ['that was refused', [seen('1'), refused('1'), finished('1')]],
  ['whose hook was taken back', [seen('1'), cancelled('hook-1'), finished('1')]],
  ['that no hook saw', [finished('1')]],
  ['of a process that has ended before its result', [seen('1', 'ask'), runEnded, finished('1')]],
])('a call %s is not', (_, events) => {
  expect(typesOf(told(...events))).not.toContain('tool.unasked')
})

test.each<[string, SessionEvent[]]>([
  ['its tool has finished', [opened('1', 'tool-1'), finished('1')]],
  ['the child takes it back', [opened('1', 'tool-1'), cancelled('ask-1')]],
  ['the process ends', [opened('1', 'tool-1'), runEnded]],
  ['a process outside has ended', [opened('1', 'tool-1'), { type: 'session.returned' }]],
])('a question is withdrawn when %s, unless it was decided', (_, [asked, gone]) => {
  if (!asked || !gone) throw new Error('a case needs both')
  expect(told(asked, gone)).toEqual([asked, gone, settled('1')])
  expect(told(asked, settled('1', allow), gone)).toEqual([asked, settled('1', allow), gone])
})

test.each<[string, SessionEvent]>([
  ['the result of one tool', finished('1')],
  ['a child that takes one question back', cancelled('ask-1')],
])('%s withdraws the question about it, and no other', (_, gone) => {
  const asked = [opened('1', 'tool-1'), opened('2', 'tool-2'), opened('3')]
  expect(told(...asked, gone)).toEqual([...asked, gone, settled('1')])
})

test('a call that a rule refused before our question could come is reported as refused, not as unasked', () => {
  const failed: SessionEvent = { ...finished('1'), isError: true, content: 'text' }
  expect(told(seen('1', 'ask'), failed)[1]).toEqual({
    type: 'tool.refused',
    toolUseId: 'tool-1',
    toolName: 'Bash',
    message: 'text',
  })
  expect(typesOf(told(seen('1'), failed))).toBe('tool.seen tool.unasked tool.finished')
})

test('a call that ran past our question is reported as unasked', () => {
  expect(typesOf(told(seen('1', 'ask'), finished('1')))).toBe('tool.seen tool.unasked tool.finished')
})

test('a process that ends in the middle of a call may have run it, so it is reported as unasked', () => {
  const unasked = { type: 'tool.unasked', toolUseId: 'tool-1', toolName: 'Bash' }
  const events = told(seen('1'), seen('2', 'ask'), seen('3'), opened('3', 'tool-3'), runEnded)
  expect(events.slice(4)).toEqual([unasked, runEnded, settled('3')])
})

test('a turn with a line that could not be read has failed, whatever it says', () => {
  const events = told(unread, turnEnded(), turnEnded())
  expect(events).toMatchObject([
    unread,
    { type: 'turn.ended', outcome: 'failed', error: { code: 'cli_failed' } },
    { type: 'turn.ended', outcome: 'done' },
  ])
})

const given = (promptId: string, command: Command): SessionEvent => ({
  ...accepted(promptId, `/${command}`),
  command,
})

test('a command that the CLI does not echo is done when its turn is', () => {
  const { state, events } = takeIn(initialRunState, [
    accepted('p', 'hello'),
    given('c', 'clear'),
    turnEnded(0),
  ])
  expect(events.slice(2)).toEqual([{ type: 'prompt.echoed', promptId: 'c' }, turnEnded(0)])
  expect([...state.prompts.keys()]).toEqual(['p'])
})

test('a turn that echoed its own command ends no other', () => {
  const echoed: SessionEvent = { type: 'prompt.echoed', promptId: 'c' }
  const events = [given('c', 'clear'), given('d', 'compact'), echoed, turnEnded(0)]
  expect(told(...events)).toEqual(events)
  expect(typesOf(told(...events, turnEnded(0)).slice(-2))).toBe('prompt.echoed turn.ended')
})

test.each([
  ['a turn that asked the model', [given('c', 'clear'), turnEnded(1)]],
  ['S21: a prompt that reads like a command', [accepted('c', '/clear'), turnEnded(0)]],
  ['a picture', [{ ...accepted('c'), content: [{ type: 'image' }, null] }, turnEnded(0)]],
] satisfies [string, SessionEvent[]][])('%s ends no command', (_, events) => {
  expect(told(...events)).toEqual(events)
})

test('taking in by pieces or in one go gives the same events and the same state', () => {
  fc.assert(
    fc.property(histories, cuts, (events, where) => {
      const whole = takeIn(initialRunState, events)
      let state = initialRunState
      const all: SessionEvent[] = []
      for (const batch of inBatches(events, where)) {
        const taken = takeIn(state, batch)
        state = taken.state
        all.push(...taken.events)
      }
      expect(all).toEqual(whole.events)
      expect(state).toEqual(whole.state)
    }),
  )
})

test('the record folded again gives the state that wrote it', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const { state, events: record } = takeIn(initialRunState, events)
      expect(record.reduce(evolve, initialRunState)).toEqual(state)
    }),
  )
})

test('unasked are exactly the calls that were seen and not asked, not refused and not taken back', () => {
  fc.assert(
    fc.property(histories, (events) => {
      const expected = events.flatMap((event, index) => {
        const lastEnd = events.slice(0, index).findLastIndex(({ type }) => type === 'run.ended')
        const before = events.slice(lastEnd + 1, index)
        if (event.type === 'tool.finished') return unaskedIn(before).filter((id) => id === event.toolUseId)
        return event.type === 'run.ended' ? unaskedIn(before, 'none') : []
      })
      const unasked = told(...events).flatMap((event) =>
        event.type === 'tool.unasked' && event.cause === undefined ? [event.toolUseId] : [],
      )
      expect(unasked).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

/** By its words, and not as the fold does it: looks at all that happened to each call. */
function unaskedIn(run: readonly SessionEvent[], opinion?: 'none'): string[] {
  return run.flatMap((call) => {
    if (call.type !== 'tool.seen' || (opinion !== undefined && call.opinion !== opinion)) return []
    const { toolUseId, requestId } = call
    const spared = run.some(
      (event) =>
        ((event.type === 'approval.opened' ||
          event.type === 'tool.refused' ||
          event.type === 'tool.finished') &&
          event.toolUseId === toolUseId) ||
        (event.type === 'request.cancelled' && event.requestId === requestId),
    )
    return spared ? [] : [toolUseId]
  })
}

const used = (id: string): SessionEvent => ({
  type: 'tool.used',
  toolUseId: `tool-${id}`,
  toolName: 'Bash',
  input: {},
  uuid: `uuid-${id}`,
})
const failing = (id: string): SessionEvent => ({ ...finished(id), isError: true, content: 'text' })

test('a call that ran and that our hook never saw is unasked; one that failed may have been refused', () => {
  const unasked = { type: 'tool.unasked', toolUseId: 'tool-1', toolName: 'Bash', cause: 'not seen' }
  expect(told(used('1'), finished('1'))).toEqual([used('1'), unasked, finished('1')])
  expect(told(used('1'), failing('1'))).toEqual([used('1'), failing('1')])
  expect(typesOf(told(used('1'), seen('1', 'ask'), opened('1', 'tool-1'), finished('1')))).not.toContain(
    'tool.unasked',
  )
})

test('a call that ran although its question was taken back was answered by somebody else', () => {
  const asked = [seen('1'), opened('1', 'tool-1'), cancelled('ask-1')]
  const unasked = { type: 'tool.unasked', toolUseId: 'tool-1', toolName: 'Bash', cause: 'answered elsewhere' }
  expect(told(...asked, finished('1'))).toContainEqual(unasked)
  expect(typesOf(told(...asked, failing('1')))).not.toContain('tool.unasked')
  const decided = [seen('1'), opened('1', 'tool-1'), settled('1', allow), cancelled('ask-1')]
  expect(typesOf(told(...decided, finished('1')))).not.toContain('tool.unasked')
  const other = [seen('1'), opened('1', 'tool-1'), seen('2'), opened('2', 'tool-2'), cancelled('ask-1')]
  expect(typesOf(told(...other, settled('2', allow), finished('2')))).not.toContain('tool.unasked')
})

test('a question says in which folder its call would be made, where our hook received it', () => {
  const inFolder: SessionEvent = { ...seen('1'), cwd: '/project' }
  expect(told(inFolder, opened('1', 'tool-1'))[1]).toMatchObject({ cwd: '/project' })
  expect(told(seen('1'), opened('1', 'tool-1'))[1]).not.toHaveProperty('cwd')
  expect(told(inFolder, opened('2'))[1]).not.toHaveProperty('cwd')
})

test('a question that our hook forced is answered by the rule of the user for the very call, once', () => {
  const input = { command: 'date' }
  const answer = { rule: 'Bash(date) of user', inputSha256: sha256Of(input) }
  const byRule: SessionEvent = { ...seen('1', 'ask'), answer }
  const asked = opened('1', 'tool-1')
  expect(told(byRule, asked).slice(2)).toEqual([
    {
      type: 'approval.settled',
      approvalId: 'approval-1',
      status: 'allowed',
      decision: { behavior: 'allow', updatedInput: input },
      by: 'rule Bash(date) of user',
      rule: 'Bash(date) of user',
      via: 'rule',
    },
  ])
  expect(told(byRule, asked, asked)).toHaveLength(4)
  expect(told(byRule, { ...asked, input: { command: 'rm -rf /' } })).toHaveLength(2)
  expect(told(byRule, { ...asked, kind: 'plan' })).toHaveLength(2)
  expect(told(byRule, opened('2', 'tool-2'))).toHaveLength(2)
  expect(told(byRule, opened('2'))).toHaveLength(2)
})

const ownTool: SessionEvent = { ...seen('1'), toolName: ownToolName('claude_start') }

test('once nesting has ended a failed call of our server was refused by us', () => {
  const ended: SessionEvent = { type: 'nesting.ended', reason: 'another port' }
  expect(typesOf(told(ended, ownTool, failing('1')))).toContain('tool.refused')
  expect(typesOf(told(ownTool, failing('1')))).toContain('tool.unasked')
  expect(typesOf(told(ended, seen('1'), failing('1')))).toContain('tool.unasked')
})

test('a prompt is taken back once', () => {
  const back: SessionEvent = { type: 'prompt.withdrawn', promptId: 'p' }
  expect(told(accepted('p'), back, back)).toEqual([accepted('p'), back])
})

const VERDICT = { effect: 'ask', drawer: 'rules', ruleId: 'push' } as const

/** The question about a call of which the rules said this to our hook. */
function askedAfter(effect: 'ask' | 'allow' | 'deny', question = opened('1', 'tool-1')) {
  const [, asked] = told({ ...seen('1', 'ask'), verdict: { ...VERDICT, effect } }, question)
  return asked?.type === 'approval.opened' ? asked.verdict : undefined
}

test('a question has the rule by which it is asked, and no other', () => {
  expect(askedAfter('ask')).toEqual(VERDICT)
  expect(askedAfter('allow')).toBeUndefined()
  expect(askedAfter('ask', opened('2', 'tool-2'))).toBeUndefined()
  expect(askedAfter('ask', opened('2'))).toBeUndefined()
  const own = { ...VERDICT, ruleId: 'own' }
  expect(askedAfter('ask', { ...opened('1', 'tool-1'), verdict: own })).toEqual(own)
})

test('a call that a rule let run is reported with that rule, whether or not it has ended', () => {
  const byRule = { ...seen('1'), answer: { rule: 'Bash(date)', inputSha256: 'x' } }
  const unasked = { type: 'tool.unasked', toolUseId: 'tool-1', toolName: 'Bash', rule: 'Bash(date)' }
  expect(told(byRule, finished('1'))).toContainEqual(unasked)
  expect(told(byRule, runEnded)).toContainEqual(unasked)
})

test('a question of a terminal is withdrawn as one of a terminal', () => {
  const [, , gone] = told({ ...opened('1', 'tool-1'), carrier: 'terminal' }, finished('1'))
  expect(gone).toEqual({ ...settled('1'), carrier: 'terminal' })
})

test('of several questions about calls the one that is taken back is the one that was answered elsewhere', () => {
  const asked = ['1', '2'].flatMap((id) => [seen(id, 'ask'), opened(id, `tool-${id}`)])
  const events = told(...asked, cancelled('ask-2'), finished('1'), finished('2'))
  const elsewhere = events.filter((event) => event.type === 'tool.unasked')
  expect(elsewhere).toEqual([
    { type: 'tool.unasked', toolUseId: 'tool-2', toolName: 'Bash', cause: 'answered elsewhere' },
  ])
})

test('a form that is taken back leaves every call as it is', () => {
  const events = told(seen('1', 'ask'), opened('1', 'tool-1'), opened('2'), cancelled('ask-2'), finished('1'))
  expect(typesOf(events)).not.toContain('tool.unasked')
})
