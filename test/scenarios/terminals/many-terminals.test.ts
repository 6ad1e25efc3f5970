/** Many real terminals that wait at once, through the ends of hubs. */
import { expect, test } from 'vitest'
import { McpProcess } from '../../rig/clients/mcp-process.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { type TerminalPlace, terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { pendingAt, questions } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes } from '../../rig/terminals/terminal-scripts.ts'
import { NEXT_VERSION } from '../../rig/tools/build-programs.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, type Terminal } from '../../rig/tools/terminal.ts'

const nameOf = (index: number) => `made-${index + 1}`
const names = (count: number) => Array.from({ length: count }, (_, index) => nameOf(index))

/** So many terminals, each with a dialog that it waits for. */
async function waiting({ open }: TerminalPlace, count: number): Promise<Terminal[]> {
  const terminals: Terminal[] = []
  for (const name of names(count)) {
    const terminal = await open()
    await say(terminal, `Make ${name}`)
    await seesDialog(terminal, makes(name))
    terminals.push(terminal)
  }
  return terminals
}

test.runIf(hasTerminal)(
  'R44: five terminals wait while the hub is killed and started again: each question is there once, and each command runs once',
  { timeout: 120_000 },
  async () => {
    const there = await terminalPlace(MAKES)
    const { place } = there
    let hub = await place.start()
    const terminals = await waiting(there, 5)
    const asked = await questions(hub, 5)
    await hub.kill('SIGKILL')
    for (const [index, terminal] of terminals.entries()) await seesDialog(terminal, makes(nameOf(index)))
    hub = await place.start()
    const again = await questions(hub, 5)
    expect(again.map(({ id }) => id).toSorted()).toEqual(asked.map(({ id }) => id).toSorted())
    expect(new Set(again.map(({ input }) => input['command']))).toEqual(new Set(names(5).map(makes)))
    for (const { id, inputSha256 } of again)
      await hub.call('answer', { approvalId: id, approve: true, inputSha256 })
    for (const [index, terminal] of terminals.entries()) await terminal.sees(`It said: ${nameOf(index)}`)
    expect(await madeIn(place.project)).toEqual(names(5))
    const decided = await hub.call<{ id: string; status: string }[]>('decisions')
    expect(decided.map(({ status }) => status)).toEqual(names(5).map(() => 'allowed'))
    expect(await questions(hub, 0)).toEqual([])
  },
)

test.runIf(hasTerminal)(
  'R44: a newer hub replaces an older one under five terminals that wait: nothing is lost, and nothing is asked twice',
  { timeout: 120_000 },
  async () => {
    const there = await terminalPlace(MAKES)
    const { place } = there
    const old = await place.start()
    const plexus = plexusAt(place)
    const terminals = await waiting(there, 5)
    const asked = await pendingAt(plexus, 5)
    const next = await new McpProcess(place, [], 'next/plexus').open()
    await next.call('claude_list', {})
    expect(await old.ended).toBe(0)
    expect(await place.running()).toMatchObject({ version: NEXT_VERSION })
    const again = await pendingAt(plexus, 5)
    expect(again.map(({ id }) => id).toSorted()).toEqual(asked.map(({ id }) => id).toSorted())
    for (const [index, terminal] of terminals.entries()) await seesDialog(terminal, makes(nameOf(index)))
    const { exitCode } = await plexus('allow', ...again.map(({ shortId }) => shortId))
    expect(exitCode).toBe(0)
    for (const [index, terminal] of terminals.entries()) await terminal.sees(`It said: ${nameOf(index)}`)
    expect(await madeIn(place.project)).toEqual(names(5))
    await pendingAt(plexus, 0)
  },
)

test.runIf(hasTerminal)(
  'R44: twenty terminals ask at once, and each gets its own answer',
  { timeout: 240_000 },
  async () => {
    const there = await terminalPlace(MAKES)
    const { place } = there
    const hub = await place.start()
    const terminals = await waiting(there, 20)
    const asked = await questions(hub, 20)
    expect(new Set(asked.map(({ input }) => input['command']))).toEqual(new Set(names(20).map(makes)))
    // Every other one is denied, with its own name as the reason.
    const isAllowed = (name: string) => names(20).indexOf(name) % 2 === 0
    for (const { id, input } of asked) {
      const name = /made-\d+/.exec(String(input['command']))?.[0] ?? ''
      const no = { approve: false, message: `Not ${name}.` }
      await hub.call('answer', { approvalId: id, ...(isAllowed(name) ? { approve: true } : no) })
    }
    for (const [index, terminal] of terminals.entries()) {
      const name = nameOf(index)
      await terminal.sees(`It said: ${isAllowed(name) ? name : `Not ${name}.`}`)
    }
    expect(await madeIn(place.project)).toEqual(names(20).filter(isAllowed).toSorted())
    await eventually(async () => expect(await questions(hub, 0)).toEqual([]))
  },
)
