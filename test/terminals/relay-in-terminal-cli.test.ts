/** The relay in real terminals: what goes wrong, and that the person's dialog is there all the same. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../src/demo/scenario.ts'
import { identityOf } from '../../src/system/process-identity.ts'
import { applyChanges } from '../../src/setup/files/file-change.ts'
import { planOff, planOn } from '../../src/setup/terminals/plan-terminals.ts'
import { RELAY_SCRIPT } from '../../src/setup/terminals/relay-script.ts'
import { isAtLeast } from '../../src/text/version-order.ts'
import { cliVersion } from '../rig/cli/real-cli.ts'
import { decision, nth, questionHub } from '../rig/terminals/question-hub.ts'
import { chooseThere, PROCEED, say, seesDialog } from '../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../rig/terminals/terminal-place.ts'
import { run } from '../rig/terminals/terminal-scripts.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

const MADE = { main: [run('mkdir made'), reply('all done')] }

test.runIf(hasTerminal)(
  'a hub that dies while a terminal waits leaves the dialog; the next hub has the question under the same id',
  { timeout: 60_000 },
  async () => {
    const { place, parts, open } = await terminalPlace(MADE)
    const first = await questionHub(parts.socket)
    const terminal = await open()
    await say(terminal, 'begin')
    await terminal.sees(PROCEED)
    const asked = await nth(first.questions, 0)
    await first.close()
    expect(terminal.visible()).toContain(PROCEED)
    const second = await questionHub(parts.socket)
    const again = await nth(second.questions, 0)
    expect([again.ask, again.cliPid]).toEqual([asked.ask, asked.cliPid])
    again.answer(decision('allow', { updatedInput: again.input['tool_input'] }))
    await eventually(() => expect(existsSync(join(place.project, 'made'))).toBe(true))
    await terminal.sees('all done')
  },
)

// 2.1.197 did not read its settings again within half a minute.
test.runIf(hasTerminal && isAtLeast(cliVersion(), '2.1.325'))(
  'a terminal that runs takes part soon after on, and without a hub its dialog is as ever',
  { timeout: 60_000 },
  async () => {
    const rounds = Array.from({ length: 30 }, (_, index) => `made-${index + 1}.`)
    const main = rounds.flatMap((folder) => [run(`mkdir ${folder}`), reply(`ended ${folder}`)])
    const { place, settingsFile: file, parts, open } = await terminalPlace({ main }, { isOn: false })
    await writeFile(file, '{}')
    await mkdir(place.home, { mode: 0o700 })
    await writeFile(parts.relay, RELAY_SCRIPT)
    const hub = await questionHub(parts.socket)
    const terminal = await open()
    const answerInTerminal = async (folder: string) => {
      await say(terminal, `please ${folder}`)
      await seesDialog(terminal, `mkdir ${folder}`)
      await chooseThere(terminal, 'Yes')
      await eventually(() => expect(existsSync(join(place.project, folder))).toBe(true))
      await terminal.sees(`ended ${folder}`)
    }
    applyChanges(planOn(file, parts))
    // When it reads its settings again is its own affair: until then the questions are the terminal's alone.
    let round = 0
    for (; hub.questions.length === 0; round += 1) await answerInTerminal(rounds[round] ?? '')
    await hub.close()
    applyChanges(planOff(file, parts.relay))
    for (const folder of rounds.slice(round, round + 2)) await answerInTerminal(folder)
    expect(await readFile(file, 'utf8')).toBe('{}')
  },
)

test.runIf(hasTerminal)(
  'variables that a trusted project sets neither redirect the question nor run its programs',
  { timeout: 60_000 },
  async () => {
    const { place, parts, open } = await terminalPlace(MADE)
    const [work, home] = [place.project, place.folder]
    const trap = join(home, 'trap')
    await mkdir(join(work, '.claude'))
    await mkdir(join(work, 'bin'))
    for (const name of ['curl', 'cat', 'date', 'sh'])
      await writeFile(join(work, 'bin', name), `#!/bin/sh\necho ${name} >> ${trap}\n`, { mode: 0o755 })
    const proxies = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].map((name) => [name, 'http://127.0.0.1:9'])
    const env = {
      PATH: `${join(work, 'bin')}:/usr/bin:/bin`,
      PLEXUS_HOME: work,
      CURL_HOME: work,
      ...Object.fromEntries(proxies),
      NO_PROXY: '127.0.0.1',
    }
    await writeFile(join(work, '.curlrc'), `output = ${trap}\n`)
    await writeFile(join(work, '.claude/settings.json'), JSON.stringify({ env }))
    const { questions } = await questionHub(parts.socket)
    const terminal = await open()
    await say(terminal, 'begin')
    const asked = await nth(questions, 0)
    expect(asked).toMatchObject({ cliPid: terminal.pid(), input: { cwd: work } })
    const ran = await readFile(trap, 'utf8').catch(() => '')
    expect(ran).not.toMatch(/curl|cat|date/)
    asked.answer(decision('allow', { updatedInput: asked.input['tool_input'] }))
    await eventually(() => expect(existsSync(join(place.project, 'made'))).toBe(true))
  },
)

test.runIf(hasTerminal)(
  'a CLI that is killed, or whose terminal is closed, leaves no relay once the hub is away or has answered',
  { timeout: 60_000 },
  async () => {
    const { parts, open } = await terminalPlace(MADE)
    const hub = await questionHub(parts.socket)
    for (const end of ['kill', 'close'] as const) {
      const terminal = await open()
      await say(terminal, 'begin')
      const asked = await nth(hub.questions, end === 'kill' ? 0 : 1)
      if (end === 'kill') process.kill(asked.cliPid, 'SIGKILL')
      else terminal.close()
      if (end === 'kill') asked.answer({})
      else await hub.close()
      const relay = Number.parseInt(asked.ask, 10)
      await eventually(async () => expect(await identityOf(relay)).toBeUndefined())
    }
  },
)
