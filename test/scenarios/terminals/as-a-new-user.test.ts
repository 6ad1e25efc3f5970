/** Everything as a new user has it: `plexus terminals on` at a terminal, two plain `claude`, a session of ours, one inbox. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply, tools, use } from '../../../src/demo/scenario.ts'
import { acquaint } from '../../rig/cli/acquainted.ts'
import { cliPath } from '../../rig/cli/real-cli.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { chooseThere, PROCEED, say } from '../../rig/hubs/terminal-place.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

type Plexus = ReturnType<typeof plexusAt>

const SETTINGS = '{ "cleanupPeriodDays":365,\n\n\t"env": {"MINE" : "1"}   }'

test.runIf(hasTerminal)(
  'R44: two plain claude and a session of ours are in one watch and one pending, and are answered here and there',
  { timeout: 90_000 },
  async () => {
    const { place, plexus, settings } = await aUser()
    const env = { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' }
    const inTerminal = (...command: string[]) =>
      openTerminal(command, { env, cwd: place.project, columns: 120, rows: 50 })
    const typed = (...args: string[]) => inTerminal(process.execPath, place.program, ...args)

    const on = await typed('terminals', 'on')
    await on.sees('Change it? [y/n]')
    await say(on, 'y')
    await on.sees('(plexus service install)? [y/n]')
    on.type('n')
    on.press('Enter')
    await on.sees('exit code 0')

    await plexus('start', '-d', '--name', 'own', 'Make own-1')
    const claude = async () => {
      const terminal = await inTerminal(cliPath(), '--permission-mode=default')
      await terminal.sees('❯')
      return terminal
    }
    const [one, two] = [await claude(), await claude()]
    await say(one, 'Make one-1')
    await say(two, 'Make two-1')
    for (const terminal of [one, two]) await terminal.sees(PROCEED)
    const asked = (folder: string) =>
      eventually(async () => {
        const pending = await questionsOf(plexus)
        const found = pending.find(({ command }) => command === `mkdir -v ${folder}`)
        if (!found) throw new Error(`mkdir -v ${folder} is not among ${JSON.stringify(pending)}.`)
        return found.name
      })
    const names = [await asked('one-1'), await asked('two-1'), await asked('own-1')]
    expect(names[2]).toBe('own.1')
    expect(await questionsOf(plexus)).toHaveLength(3)
    const watch = await typed('watch')
    for (const name of names) await watch.sees(new RegExp(`${name.replace(/\.\d+$/, '')} +needs you`))

    expect(await plexus('allow', names[0] ?? '')).toMatchObject({ exitCode: 0 })
    await one.sees(`It said: mkdir: created directory 'one-1'`)
    expect(existsSync(join(place.project, 'one-1'))).toBe(true)
    expect(await plexus('deny', names[1] ?? '', '-m', 'Not this folder.')).toMatchObject({ exitCode: 0 })
    await two.sees('It said: Not this folder.')
    expect(existsSync(join(place.project, 'two-1'))).toBe(false)

    await say(one, 'Make one-2')
    const there = await asked('one-2')
    await eventually(async () => expect(one.visible()).toMatch(new RegExp(`mkdir -v one-2[^]*${PROCEED}`)))
    await chooseThere(one, 'Yes')
    await one.sees(`It said: mkdir: created directory 'one-2'`)
    expect(existsSync(join(place.project, 'one-2'))).toBe(true)
    await eventually(async () => expect(await questionsOf(plexus)).toMatchObject([{ name: 'own.1' }]))
    const late = await plexus('deny', there)
    expect(late.exitCode).not.toBe(0)
    expect(late.stderr).toContain('answered in the terminal')
    expect(await plexus('allow', 'own.1')).toMatchObject({ exitCode: 0 })
    expect(await plexus('wait', 'own')).toMatchObject({ exitCode: 0 })

    expect(await plexus('terminals', 'off', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await readFile(settings, 'utf8')).toBe(SETTINGS)
  },
)

/** Each makes the folder that its prompt names, and repeats the result. */
async function aUser(): Promise<{ place: HubPlace; plexus: Plexus; settings: string }> {
  const place = await hubPlace({
    scenario: {
      main: ({ lastUserText, toolResults }) => {
        const [, folder = ''] = /Make ([\w-]+)/.exec(lastUserText) ?? []
        const [result] = toolResults
        if (result) return reply(`It said: ${result.text}`)
        return tools(use('Bash', { command: `mkdir -v ${folder}`, description: 'make it' }))
      },
    },
  })
  const config = join(place.folder, 'config')
  await acquaint(config, place.project)
  const settings = join(config, 'settings.json')
  await writeFile(settings, SETTINGS)
  return { place, plexus: plexusAt(place), settings }
}

async function questionsOf(plexus: Plexus): Promise<{ name: string; command: string }[]> {
  const { stdout } = await plexus('pending', '--json')
  const { questions } = JSON.parse(stdout) as {
    questions: { shortId: string; input: { command: string } }[]
  }
  return questions.map(({ shortId, input: { command } }) => ({ name: shortId, command }))
}
