/** `plexus service` as a person types it, where no systemd answers: files only. */
import { execFile } from 'node:child_process'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { programPath } from '../../rig/tools/build-programs.ts'

const isLinux = process.platform === 'linux'

async function aUser() {
  const home = await temporaryFolder()
  const folder = join(home, '.config/systemd/user')
  const env = { PATH: '/usr/bin:/bin', HOME: home, XDG_RUNTIME_DIR: join(home, 'nothing') }
  const service = (args: readonly string[], more: Record<string, string> = {}) =>
    new Promise<{ stdout: string; stderr: string; exitCode: number }>((resolve) => {
      const all = [programPath('plexus'), 'service', ...args]
      const child = execFile(process.execPath, all, { env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code) }),
      )
      child.stdin?.end()
    })
  return { home, folder, file: join(folder, 'plexus.service'), service }
}

test.skipIf(!isLinux)('--print prints the file and writes nothing', async () => {
  const { home, service } = await aUser()
  const { stdout, exitCode } = await service(['--print'], { ANTHROPIC_API_KEY: 'sk-ant-secret1234' })
  expect(exitCode).toBe(0)
  expect(stdout).toContain(`Environment="PLEXUS_HOME=${home}/.local/state/plexus"`)
  expect(stdout).not.toContain('secret')
  expect(await readdir(home)).toEqual([])
  const json = JSON.parse((await service(['--print', '--json', '--home', '/x y'])).stdout) as { text: string }
  expect(json.text).toContain('Environment="PLEXUS_HOME=/x y"')
})

test.skipIf(!isLinux)(
  'without systemd the file is written, and the commands that start it are named',
  async () => {
    const { folder, file, service } = await aUser()
    expect((await service(['status'])).stdout).toContain('The service is not installed')
    const first = await service(['install', '--yes'])
    expect(first).toMatchObject({ exitCode: 0, stdout: '' })
    expect(first.stderr).toContain(
      'Once it does, run: systemctl --user daemon-reload && systemctl --user enable plexus.service && systemctl --user restart plexus.service',
    )
    expect(await readdir(folder)).toEqual(['plexus.service'])
    const status = await service(['status', '--json'])
    expect(status.exitCode).toBe(1)
    expect(JSON.parse(status.stdout)).toMatchObject({
      v: 1,
      file,
      installed: 'yes',
      reachable: false,
      active: false,
    })
    // The same again changes nothing; with another setting the file before is kept.
    await service(['install', '--yes'])
    expect(await readdir(folder)).toEqual(['plexus.service'])
    const changed = await service(['install', '--yes', '--json'], { MAX_SESSIONS: '3' })
    expect(JSON.parse(changed.stdout)).toEqual({
      v: 1,
      file,
      changed: true,
      backup: `${file}.backup-1`,
      running: false,
    })
    expect(await readFile(file, 'utf8')).toContain('MAX_SESSIONS=3')
    expect(await service(['uninstall', '--yes'])).toMatchObject({ exitCode: 0 })
    expect(await readdir(folder)).toEqual(['plexus.service.backup-1'])
    expect((await service(['uninstall', '--yes'])).stderr).toContain('nothing was done')
  },
)

test.skipIf(!isLinux)(
  'nothing is done without a yes, and nothing to a service of somebody else',
  async () => {
    const { folder, file, service } = await aUser()
    expect(await service(['install'])).toMatchObject({ exitCode: 2 })
    await expect(access(file)).rejects.toThrow('ENOENT')
    await mkdir(folder, { recursive: true })
    await writeFile(file, '[Service]\nExecStart=/usr/bin/plexus serve\n')
    const refused = await service(['uninstall', '--yes'])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('was not written by plexus service install; remove it yourself.')
    await access(file)
  },
)

test('an action that there is not is named, and an agent of Plexus installs none', async () => {
  const { service } = await aUser()
  expect(await service(['restart'])).toMatchObject({ exitCode: 2 })
  expect(await service([])).toMatchObject({ exitCode: 2 })
  const inside = await service(['install', '--yes'], { LOOPBACK_SESSION_ID: 'x' })
  expect(inside.stderr).toContain('This runs inside session x')
})
