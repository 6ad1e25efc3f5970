import { expect, test } from 'vitest'
import { isFull, keepReport } from './rig/keep-report.ts'
import { ASKED_BY_THE_CLI, ORDINARY_COMMANDS } from './ordinary-commands.ts'
import { ordinaryFiles } from './ordinary-project.ts'
import { MOST_QUESTIONS, ordinaryUse } from './ordinary-use.ts'
import { CallingHub, type ToolCall } from './rig/tool-calls.ts'

type Mode = keyof typeof MOST_QUESTIONS
const modes: readonly Mode[] = isFull ? ['default', 'acceptEdits'] : []

/** The calls that somebody was asked about; all of them are allowed. */
async function askedAmong(mode: Mode, callsIn: (project: string) => ToolCall[]): Promise<ToolCall[]> {
  const rig = await CallingHub.make({})
  const { project } = rig.place
  await ordinaryFiles(project)
  const calls = callsIn(project)
  const options = { workingDirectory: project, permissionMode: mode }
  const told = await rig.converse(await rig.place.start(), { calls, options, answer: () => 'allow' })
  return calls.filter(({ id }) => told.asked.has(id))
}

const bash = (command: string, id: string): ToolCall => ({ id, name: 'Bash', input: { command } })

/** The shell stays where a command has gone to. */
const commandCalls = (project: string): ToolCall[] =>
  ORDINARY_COMMANDS.flatMap((command, at) => [
    bash(command, `toolu_${at}`),
    ...(command.startsWith('cd ') ? [bash(`cd ${project}`, `toolu_${at}_back`)] : []),
  ])

test('ordinary use of a folder is asked no more than the CLI asks by itself', async () => {
  const use: Record<string, { asked: number; calls: number }> = {}
  const tooMuch: string[] = []
  for (const mode of modes) {
    const asked = await askedAmong(mode, ordinaryUse)
    use[mode] = { asked: asked.length, calls: ordinaryUse('').length }
    if (asked.length > MOST_QUESTIONS[mode])
      tooMuch.push(...asked.map(({ name, input }) => `${mode}: ${name} ${JSON.stringify(input)}`))
  }
  const about = new Set((await askedAmong('default', commandCalls)).map(({ id }) => id))
  const commands = ORDINARY_COMMANDS.map((command, at) => ({ command, asked: about.has(`toolu_${at}`) }))
  if (isFull) await keepReport('ordinary', { use, commands })
  const asked = commands.filter((one) => one.asked).map(({ command }) => command)
  expect(asked.filter((command) => !ASKED_BY_THE_CLI.has(command))).toEqual([])
  expect(tooMuch).toEqual([])
}, 600_000)
