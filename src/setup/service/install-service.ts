import { AppError } from '../../base/errors.ts'
import { visibleText } from '../../text/visible-text.ts'
import { lingers, runLines, serviceState } from './run-system.ts'
import { installedText, writeServiceFile } from './service-file.ts'
import { leftOutSentence, loginsLeftOut, type ServiceSpec } from './service-spec.ts'
import type { ServiceSystem } from './service-system.ts'
import { endBackgroundHub, hubInTheWay, makeRoomSentence, readyHub } from './take-over.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface InstallParts {
  readonly system: ServiceSystem
  readonly spec: ServiceSpec
  readonly env: Env
  readonly say: (text: string) => void
  readonly ask: (question: string) => Promise<boolean>
}

export interface Installed {
  readonly file: string
  readonly changed: boolean
  readonly backup?: string
  readonly running: boolean
  readonly pid?: number
}

/** Writes the file and starts the service. Undefined if the person said no; then nothing was done. */
export async function installService({
  system,
  spec,
  env,
  say,
  ask,
}: InstallParts): Promise<Installed | undefined> {
  const text = system.textOf(spec)
  const { file } = system
  const before = installedText(file)
  const state = await serviceState(system, env)
  const changed = before !== text
  if (!changed && state.active && state.enabled) {
    say(`${file} is installed and runs (pid ${state.pid}); nothing was changed.`)
    return { file, changed, running: true, ...(state.pid === undefined ? {} : { pid: state.pid }) }
  }
  if (changed) {
    say(`${before === undefined ? 'This is written to' : 'This replaces'} ${file}:\n\n${visibleText(text)}`)
    if (!(await ask('Install it?'))) {
      say('Nothing was done.')
      return undefined
    }
  }
  const backup = await writeServiceFile(file, text)
  if (backup !== undefined) say(`The file before is kept as ${backup}.`)
  for (const name of loginsLeftOut(env)) say(leftOutSentence(name))
  const result = { file, changed, ...(backup === undefined ? {} : { backup }) }
  if (!state.reachable) {
    say(
      `systemd does not run for this user here. Once it does, run: ${words([...system.enable, ...system.start])}`,
    )
    return { ...result, running: false }
  }
  await runLines(system.enable, env)
  const pid = await start({ system, spec, env, say }, state.pid)
  await sayAboutLinger(system, env, say)
  return { ...result, running: pid !== undefined, ...(pid === undefined ? {} : { pid }) }
}

async function start(
  { system, spec, env, say }: Omit<InstallParts, 'ask'>,
  runningPid: number | undefined,
): Promise<number | undefined> {
  const other = await hubInTheWay(spec.home, runningPid)
  if (other && other.kind !== 'background') {
    say(makeRoomSentence(other, words(system.start)))
    return undefined
  }
  if (other) {
    await endBackgroundHub(spec.home, other.pid)
    say(`The hub in the background (pid ${other.pid}) has ended; the service takes over its sessions.`)
  }
  const [last, ...first] = system.start.toReversed()
  // Only the last one starts it; what comes before makes room, and there may be nothing to remove.
  await runLines(first.toReversed(), env, { mayFail: true })
  await runLines(last ? [last] : [], env)
  const pid = await readyHub(spec.home)
  if (pid === undefined)
    throw new AppError('internal', `The service was started and its hub is not ready; see ${system.log}.`)
  const { pid: servicePid } = await serviceState(system, env)
  if (servicePid !== pid) {
    say(makeRoomSentence({ kind: 'terminal', pid }, words(system.start)))
    return undefined
  }
  say(`The hub runs as a service (pid ${pid}). Its sessions outlive a restart of it.`)
  return pid
}

/** At the end of the last session systemd ends everything of a user that does not linger, whatever the unit says. */
async function sayAboutLinger({ name }: ServiceSystem, env: Env, say: (text: string) => void): Promise<void> {
  if (name !== 'systemd' || (await lingers(env, process.getuid?.() ?? 0)) === true) return
  say('When you log out, systemd ends the hub and its sessions, unless you run once: loginctl enable-linger')
}

function words(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => line.join(' ')).join(' && ')
}
