import { silentHubSentence } from '../../hub-client/hub-answers.ts'
import { holdsDialog, isTriedVersion } from '../../terminals/tried-versions.ts'
import { fix, note, ok, type Outcome } from '../doctor/checks/finding.ts'
import type { TerminalsState } from './terminals-state.ts'

export interface TerminalsFacts {
  readonly state: TerminalsState
  /** Whether a hub answers now, the process that has the home folder, and whether a service keeps one. */
  readonly hub: {
    readonly answers: boolean
    readonly pid?: number | undefined
    readonly isService: boolean
  }
  /** Undefined where no CLI was found. */
  readonly cliVersion: string | undefined
}

/** Whether terminals ask the hub, and what keeps them from it. */
export function judgeTerminals({ state, hub, cliVersion }: TerminalsFacts): Outcome[] {
  const { file, problem, hook, otherRelay, plugin } = state
  if (problem !== undefined) return [note(`Whether terminals ask the hub is not known: ${problem}`)]
  const others =
    otherRelay === undefined
      ? []
      : [note(`${file} has the entry of another home folder: terminals ask the hub of ${otherRelay}.`)]
  if (!hook && plugin === undefined)
    return [
      ...others,
      ...(otherRelay === undefined
        ? [ok('Terminals do not ask the hub; plexus terminals on lets them.')]
        : []),
    ]
  const wrong = [...ofEntry(state), ...ofHub(hub), ...ofVersion(cliVersion)]
  return [...(wrong.length === 0 ? [ok(`Terminals ask the hub too (${plugin ?? file}).`)] : wrong), ...others]
}

function ofEntry({ file, isSkipped, hook, relay, hasCurl, hooksOffIn, plugin }: TerminalsState): Outcome[] {
  return [
    ...(isSkipped === true
      ? [
          fix(
            `${file} has comments or trailing commas, and Claude Code skips such a file with all that is in it, so terminals do not ask the hub; make it plain JSON.`,
          ),
        ]
      : []),
    ...(hooksOffIn === undefined
      ? []
      : [fix(`${hooksOffIn} switches hooks off, so terminals do not ask the hub; change that setting.`)]),
    ...(hook && plugin !== undefined
      ? [
          fix(
            `The plugin ${plugin} and the entry in ${file} ask the hub both, so each question is there twice. Run: plexus terminals off`,
          ),
        ]
      : []),
    ...(hook && relay === 'missing'
      ? [fix(`The relay ${hook.relay} is missing, so terminals do not ask the hub. Run: plexus terminals on`)]
      : []),
    ...(hook && (relay === 'other' || !hook.isCurrent)
      ? [note('The relay of the terminals is that of another version. Run: plexus terminals on')]
      : []),
    ...(hook && !hasCurl
      ? [fix(`${hook.curl} is missing, so terminals do not ask the hub. Run: plexus terminals on`)]
      : []),
  ]
}

function ofHub({ answers, pid, isService }: TerminalsFacts['hub']): Outcome[] {
  if (isService && answers) return []
  if (answers)
    return [
      note(
        'A hub runs now and no service keeps it: when it ends, terminals ask in their own dialog only. Run: plexus service install',
      ),
    ]
  if (pid !== undefined) return [fix(`Terminals ask in their own dialog only: ${silentHubSentence(pid)}`)]
  return [
    fix(
      `No hub runs, so terminals ask in their own dialog only. Run: ${isService ? 'plexus service status' : 'plexus service install'}`,
    ),
  ]
}

function ofVersion(version: string | undefined): Outcome[] {
  if (version === undefined) return []
  if (!holdsDialog(version))
    return [
      note(
        `Questions of Claude Code ${version} are not held at the hub, because its dialog may wait for them: they are answered in the terminal.`,
      ),
    ]
  if (isTriedVersion(version)) return []
  return [
    note(
      `Whether Claude Code ${version} shows its dialog while the hub is asked was not tried; where it does not, the dialog comes after two seconds.`,
    ),
  ]
}
