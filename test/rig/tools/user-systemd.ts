/** A systemd for the test's user, in a mount and cgroup namespace of its own: it ends with the test, with all that it runs. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'

const SYSTEMD = '/usr/lib/systemd/systemd'

export const hasVerify = spawnSync('systemd-analyze', ['--version']).status === 0

/** Where the system has its groups of processes; undefined where they are of the first kind only. */
const groups = readFileSync('/proc/self/mountinfo', 'utf8')
  .split('\n')
  .find((line) => line.includes(' - cgroup2 '))
  ?.split(' ')[4]

/** It needs root, because an ordinary user may not make such namespaces. */
export const hasUserSystemd = process.getuid?.() === 0 && existsSync(SYSTEMD) && groups !== undefined
if (!hasUserSystemd)
  process.stderr.write(
    '\n*** SKIPPED: a hub under a real systemd needs Linux, the package systemd, and root. ***\n\n',
  )

/** The manager looks for its place where a machine has it that was booted with systemd. */
const INSIDE = `mount -t tmpfs tmpfs /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup &&
mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system && exec ${SYSTEMD} --user --log-target=console`

export interface UserSystemd {
  /** What a shell of this user has in its environment. */
  readonly env: { readonly XDG_RUNTIME_DIR: string }
  readonly systemctl: (...args: readonly string[]) => string
}

/** Services that it starts have this environment, as those of a real one have that of the login. */
export async function startUserSystemd(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<UserSystemd> {
  const runtime = join(folder, 'runtime')
  mkdirSync(runtime, { mode: 0o700 })
  const group = join(groups ?? '', `plexus-test-${process.pid}-${Date.now()}`)
  mkdirSync(group)
  const all = { ...env, XDG_RUNTIME_DIR: runtime }
  const enter = `echo $$ > ${group}/cgroup.procs && exec unshare -m -C sh -c '${INSIDE}'`
  const manager: ChildProcess = spawn('sh', ['-c', enter], { env: all, stdio: 'ignore', cwd: folder })
  onTestFinished(async () => {
    const ended = manager.exitCode === null && manager.signalCode === null ? once(manager, 'exit') : undefined
    writeFileSync(join(group, 'cgroup.kill'), '1')
    await ended
    await eventually(() => removeGroups(group))
  })
  await eventually(() => {
    if (!existsSync(join(runtime, 'systemd/private')))
      throw new Error('The systemd of the test does not start.')
  })
  return {
    env: { XDG_RUNTIME_DIR: runtime },
    systemctl: (...args) => execFileSync('systemctl', ['--user', ...args], { env: all, encoding: 'utf8' }),
  }
}

function removeGroups(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroups(join(group, entry.name))
  rmdirSync(group)
}
