/** The hub as a service of a real systemd, with the real CLI. */
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { identityOf } from '../../../src/system/process-identity.ts'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasUserSystemd, startUserSystemd } from '../../rig/tools/user-systemd.ts'

test.skipIf(!hasUserSystemd)(
  'a service takes over the hub in the background, and its children outlive a restart and its end',
  async () => {
    const main = [tools(use('Bash', { command: 'touch it' })), say('over')]
    const place = await hubPlace({ scenario: { main } })
    const system = await startUserSystemd(place.folder, place.env)
    const plexus = plexusAt(place, system.env)
    const file = join(place.folder, '.config/systemd/user/plexus.service')
    const asks = async (name: string) => {
      const started = await plexus('start', '--name', name, '--json', 'Touch it')
      expect(started).toMatchObject({ exitCode: 0 })
      expect(await plexus('wait', name)).toMatchObject({ exitCode: 3 })
      const { id } = JSON.parse(started.stdout) as { id: string }
      place.sessions.add(id)
      return processesOfSession(id)
    }

    const [first] = await asks('first')
    const background = await place.running()
    expect(await plexus('service', 'install')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Nobody can be asked here, so nothing was done; add --yes to do it.'),
    })
    const installed = await plexus('service', 'install', '--yes')
    expect(installed).toMatchObject({ exitCode: 0 })
    expect(installed.stderr).toContain(`The hub in the background (pid ${background?.pid}) has ended`)
    expect(installed.stderr).toContain('ANTHROPIC_API_KEY is set here and is not written')
    expect(await readFile(file, 'utf8')).not.toContain('ANTHROPIC')
    expect(await plexus('service', 'install', '--yes')).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('nothing was changed'),
    })

    // This child is a process of the unit.
    const [second] = await asks('second')
    const hub = await place.running()
    system.systemctl('restart', 'plexus.service')
    await eventually(async () => expect((await place.running())?.pid).toEqual(expect.any(Number)))
    expect((await place.running())?.pid).not.toBe(hub?.pid)
    expect((await plexus('allow', 'second')).stdout).toContain('second.1 allowed')
    expect(await plexus('wait', 'second')).toMatchObject({ exitCode: 0 })
    await access(join(place.project, 'it'))
    expect(await identityOf(second?.pid ?? 0)).toEqual(second)

    const removed = await plexus('service', 'uninstall', '--yes')
    expect(removed.stderr).toContain(`${file} is removed.`)
    await expect(access(file)).rejects.toThrow('ENOENT')
    expect(system.systemctl('show', 'plexus.service', '--property=UnitFileState')).toBe('UnitFileState=\n')
    expect(await place.running()).toBeUndefined()
    for (const child of [first, second]) expect(await identityOf(child?.pid ?? 0)).toEqual(child)
    expect((await plexus('allow', 'first')).stdout).toContain('first.1 allowed')
  },
)
