import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { cliFacts } from '../../setup/doctor/facts/cli.ts'
import { hubFacts } from '../../setup/doctor/facts/hub.ts'
import { placeOf } from '../../setup/doctor/facts/place.ts'
import { terminalsFacts } from '../../setup/doctor/facts/terminals.ts'
import { applyChanges, type FileChange } from '../../setup/files/file-change.ts'
import { findCurl } from '../../setup/terminals/find-curl.ts'
import { hookEntry } from '../../setup/terminals/hook-entry.ts'
import { judgeTerminals } from '../../setup/terminals/judge-terminals.ts'
import { planOff, planOn, terminalsBackup } from '../../setup/terminals/plan-terminals.ts'
import { RELAY_SCRIPT } from '../../setup/terminals/relay-script.ts'
import { pathsOf, terminalsState, userSettingsFile } from '../../setup/terminals/terminals-state.ts'
import { replacePrivateFile } from '../../system/files/private-file.ts'
import { readTerminalStatuses } from '../../terminals/status-files.ts'
import { confirm } from './confirm.ts'
import { homeFor, preparedHome } from './home-settings.ts'
import { offerService } from './offer-service.ts'
import { requirePerson } from './require-person.ts'
import { showChanges } from './show-changes.ts'

/** `terminals on`, `terminals off` and `terminals status`. */
export async function run(call: CommandCall): Promise<number> {
  const [verb] = call.args
  if (verb === 'on' && call.flags.isSet('print')) return print(call)
  if (verb === 'on') return on(call)
  if (verb === 'off') return off(call)
  if (verb === 'status') return status(call)
  throw new AppError(
    'invalid_input',
    'Say plexus terminals on, plexus terminals off, or plexus terminals status.',
  )
}

async function on(call: CommandCall): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'let terminals ask the hub')
  const curl = await findCurl(env['PATH'])
  const file = userSettingsFile(env)
  const parts = { ...pathsOf(homeFor(env, flags)), curl }
  const plan = () => planOn(file, parts)
  const changes = plan()
  if (changes.length > 0) {
    if (!out.isJson) showChanges(changes, out)
    if (!(await confirm('Change it?', call))) return 1
  }
  await preparedHome(env, flags)
  // Before the entry: terminals that run use it the moment they read it.
  await replacePrivateFile(parts.relay, RELAY_SCRIPT)
  apply(changes, plan)
  const backup = changes.some(({ before }) => before !== undefined) ? terminalsBackup(file) : undefined
  if (out.isJson) out.json({ on: true, file, changed: changes.length > 0, ...(backup ? { backup } : {}) })
  else {
    out.explain(
      changes.length === 0
        ? `Terminals ask the hub already (${file}); nothing changes there.`
        : `Terminals ask the hub too from now on; one that runs already may have to be started again.${backup ? ` What was there before is kept in ${backup}.` : ''}`,
    )
    const facts = await factsOf(call)
    for (const { level, text } of judgeTerminals(facts)) if (level !== 'ok') out.explain(text)
    if (!facts.hub.isService) await offerService(call)
  }
  return 0
}

async function off(call: CommandCall): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'change whether terminals ask the hub')
  const file = userSettingsFile(env)
  const { relay } = pathsOf(homeFor(env, flags))
  const plan = () => planOff(file, relay)
  const changes = plan()
  if (changes.length > 0) {
    if (!out.isJson) showChanges(changes, out)
    if (!(await confirm('Change it?', call))) return 1
  }
  apply(changes, plan)
  rmSync(relay, { force: true })
  if (out.isJson) out.json({ on: false, file, changed: changes.length > 0 })
  else {
    out.explain(
      changes.length === 0
        ? `${file} has no entry for this home folder; nothing changes there.`
        : 'Terminals ask in their own dialog only. What is open at the hub now stays until it is answered.',
    )
    const { otherRelay, plugin } = terminalsState(env, homeFor(env, flags), process.platform)
    if (otherRelay !== undefined) out.explain(`It has an entry of another home folder still: ${otherRelay}.`)
    if (plugin !== undefined)
      out.explain(`The plugin asks the hub still; claude plugin uninstall ${plugin} removes it.`)
  }
  return 0
}

/** Exit code 1 where terminals do not ask this hub. */
async function status(call: CommandCall): Promise<number> {
  const { env, flags, out } = call
  const { file, hook, plugin } = terminalsState(env, homeFor(env, flags), process.platform)
  const found = judgeTerminals(await factsOf(call))
  const terminals = await readTerminalStatuses(dirname(file))
  const isOn = hook !== undefined || plugin !== undefined
  if (out.isJson) out.json({ on: isOn, file, findings: found, terminals })
  else {
    if (isOn)
      out.line(
        `Terminals ask the hub: the entry is in ${hook === undefined ? `the plugin ${plugin ?? ''}` : file}.`,
      )
    for (const { text } of found) out.line(text)
    const waiting = terminals.filter(({ status: state }) => state === 'waiting').length
    if (terminals.length > 0)
      out.line(`Terminals that run now: ${terminals.length}; of these wait for an answer: ${waiting}.`)
  }
  return isOn ? 0 : 1
}

/** For a person who keeps the settings in another place: what to write there, and the relay that it starts. */
async function print({ env, flags, out }: CommandCall): Promise<number> {
  const parts = { ...pathsOf(homeFor(env, flags)), curl: await findCurl(env['PATH']) }
  const entry = { hooks: { PermissionRequest: [hookEntry(parts)] } }
  if (out.isJson) out.json({ file: userSettingsFile(env), entry, relay: RELAY_SCRIPT })
  else {
    out.say(`In ${userSettingsFile(env)}, with this relay in ${parts.relay}:\n${RELAY_SCRIPT}`)
    out.line(JSON.stringify(entry, null, 2))
  }
  return 0
}

async function factsOf({ env, flags }: CommandCall) {
  const place = placeOf(env, flags.text('home'))
  const [hub, cli] = await Promise.all([hubFacts(place), cliFacts(place)])
  return terminalsFacts(place, hub, cli.kind === 'found' ? cli.version : undefined)
}

/** More often than a CLI writes its settings while a person watches. */
const TRIES = 5

/** Claude Code writes the same file: what was shown is done to the text as it is by now. */
function apply(changes: readonly FileChange[], again: () => FileChange[]): void {
  for (let tries = 1, planned = changes; ; tries += 1, planned = again()) {
    try {
      return applyChanges(planned)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'changed') || tries === TRIES) throw error
    }
  }
}
