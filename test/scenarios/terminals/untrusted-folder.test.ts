/** A folder that the person has not trusted yet: Claude Code asks about that first, and nothing of ours takes part in it. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { projectSettings } from '../../rig/terminals/project-settings.ts'
import { pressUntil, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questions, sessionsOf, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, type Terminal } from '../../rig/tools/terminal.ts'

const TRUST = 'Yes, I trust this folder'

test.runIf(hasTerminal)(
  'the dialog about trust is left alone, nothing of the folder runs, and once it is trusted its questions are here',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const plexus = plexusAt(place)
    const hub = await place.start()
    const folder = join(place.folder, 'stranger')
    const trap = join(place.folder, 'trap')
    await mkdir(folder)
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `echo ran >> ${trap}` }] }] }
    await projectSettings({ project: folder }, { hooks })
    const terminal = await open({ folder, args: ['Make trusted'] })
    await terminal.sees(TRUST)
    const shown = terminal.visible()
    expect(await sessionsOf(hub)).toEqual([])
    expect((await plexus('pending')).stderr).toContain('Nothing waits for an answer.')
    expect(await questions(hub, 0)).toEqual([])
    expect(terminal.visible()).toBe(shown)
    expect(existsSync(trap)).toBe(false)
    expect(place.model.requests.filter(({ kind }) => kind === 'main')).toEqual([])

    await choosesTrust(terminal)
    const asked = await theQuestion(hub)
    expect(asked).toMatchObject({ carrier: 'terminal', cwd: folder })
    await seesDialog(terminal, makes('trusted'))
    await hub.call('answer', { approvalId: asked.id, approve: true })
    await terminal.sees('It said: trusted')
    await eventually(async () => expect(await madeIn(folder)).toEqual(['trusted']))
    expect(existsSync(trap)).toBe(true)
  },
)

test.runIf(hasTerminal)(
  'a person who does not trust the folder leaves nothing here',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace(MAKES)
    const hub = await place.start()
    const folder = join(place.folder, 'stranger')
    await mkdir(folder)
    const terminal = await open({ folder, args: ['Make trusted'] })
    await terminal.sees(TRUST)
    await pressUntil(terminal, 'Escape', () => terminal.visible().includes('exit code'))
    await eventually(async () => expect(await sessionsOf(hub)).toEqual([]))
    expect(await questions(hub, 0)).toEqual([])
    expect(await madeIn(folder)).toEqual([])
  },
)

/** 2.1.197 offers Yes first, 2.1.325 No. */
async function choosesTrust(terminal: Terminal): Promise<void> {
  const isChosen = () => /❯ (\d\. )?Yes, I trust/.test(terminal.visible())
  if (!isChosen()) await pressUntil(terminal, 'Down', isChosen)
  terminal.press('Enter')
}
