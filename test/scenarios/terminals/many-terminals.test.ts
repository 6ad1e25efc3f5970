import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, type Scenario, tools, use } from '../../../src/demo/scenario.ts'
import { McpProcess, startMcp } from '../../rig/clients/mcp-process.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { questions, say, type TerminalPlace, terminalPlace } from '../../rig/hubs/terminal-place.ts'
import { NEXT_VERSION } from '../../rig/tools/build-programs.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, type Terminal } from '../../rig/tools/terminal.ts'

/** Each makes the folder that its prompt names, and repeats the result. */
const MAKES: Scenario = {
  main: ({ lastUserText, toolResults }) => {
    const [, folder = ''] = /Make ([\w-]+)/.exec(lastUserText) ?? []
    const [result] = toolResults
    if (result) return reply(`It said: ${result.text}`)
    return tools(use('Bash', { command: `mkdir -v ${folder}`, description: 'make it' }))
  },
}

const made = (number: number) => `made-${number}`

/** So many terminals, each with a question that it waits for. */
async function waiting({ open }: TerminalPlace, count: number): Promise<Terminal[]> {
  const terminals: Terminal[] = []
  for (let number = 1; number <= count; number += 1) {
    const terminal = await open()
    await say(terminal, `Make ${made(number)}`)
    await terminal.sees(`mkdir -v ${made(number)}`)
    terminals.push(terminal)
  }
  return terminals
}

async function allMade(terminals: readonly Terminal[], project: string): Promise<void> {
  for (const [index, terminal] of terminals.entries()) {
    await terminal.sees(`It said: mkdir: created directory '${made(index + 1)}'`)
    expect(existsSync(join(project, made(index + 1)))).toBe(true)
  }
}

test.runIf(hasTerminal)(
  'R44: five terminals wait through a hub that is killed and one that a newer one replaces, and are answered after',
  { timeout: 120_000 },
  async () => {
    const terminalsHere = await terminalPlace(MAKES)
    const { place } = terminalsHere
    const plexus = plexusAt(place)
    const client = await startMcp(place)
    await client.call('claude_list', {})
    const terminals = await waiting(terminalsHere, 5)
    const five = () =>
      eventually(async () => {
        const { stdout } = await plexus('pending', '--json')
        const { questions: asked } = JSON.parse(stdout) as { questions: { id: string }[] }
        expect(asked).toHaveLength(5)
        return asked.map(({ id }) => id).toSorted()
      })
    const asked = await five()

    const killed = await place.running()
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await client.call('claude_list', {})
    expect(await five()).toEqual(asked)
    const back = await place.running()
    expect(back?.pid).not.toBe(killed?.pid)

    const next = await new McpProcess(place, [], 'next/plexus').open()
    await next.call('claude_list', {})
    expect(await place.running()).toMatchObject({ version: NEXT_VERSION })
    expect(await five()).toEqual(asked)

    expect(await plexus('allow', '--all', '--yes', '--expect', '5')).toMatchObject({ exitCode: 0 })
    await allMade(terminals, place.project)
  },
)

test.runIf(hasTerminal)(
  'twenty terminals ask at once, and each gets its own answer',
  { timeout: 240_000 },
  async () => {
    const terminalsHere = await terminalPlace(MAKES)
    const { place } = terminalsHere
    const hub = await place.start()
    const terminals = await waiting(terminalsHere, 20)
    const asked = await questions(hub, 20)
    const denied = asked.filter(({ input }) => input['command'] === `mkdir -v ${made(7)}`)
    expect(denied).toHaveLength(1)
    for (const { id } of asked)
      await hub.call('answer', {
        approvalId: id,
        ...(id === denied[0]?.id ? { approve: false, message: 'Not this one.' } : { approve: true }),
      })
    await terminals[6]?.sees('It said: Not this one.')
    expect(existsSync(join(place.project, made(7)))).toBe(false)
    const others = terminals
      .map((terminal, index) => ({ terminal, index }))
      .filter(({ index }) => index !== 6)
    for (const { terminal, index } of others)
      await terminal.sees(`It said: mkdir: created directory '${made(index + 1)}'`)
  },
)
