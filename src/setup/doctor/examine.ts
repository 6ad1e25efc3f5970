import { withTimeout } from '../../async/with-timeout.ts'
import { judgeTerminals } from '../terminals/judge-terminals.ts'
import { SESSION_MARK } from '../../system/session-mark.ts'
import { visibleText } from '../../text/visible-text.ts'
import { type CliFacts, judgeCli } from './checks/cli.ts'
import { judgeSettings } from './checks/cli-settings.ts'
import { type ConfiguredClient, judgeClients } from './checks/clients.ts'
import { judgeConfig } from './checks/config.ts'
import { judgeHome } from './checks/home.ts'
import { judgeHub, judgePort } from './checks/hub.ts'
import { judgeLog } from './checks/log.ts'
import { judgeLogin } from './checks/login.ts'
import { judgeMachine } from './checks/machine.ts'
import { judgeRules } from './checks/rules.ts'
import { judgeRuns } from './checks/runs.ts'
import { judgeDatabase, judgeDisk } from './checks/storage.ts'
import { judgeUnits } from './checks/units.ts'
import { judgeVariables } from './checks/variables.ts'
import { cliFacts } from './facts/cli.ts'
import { loginFacts, settingsFiles } from './facts/cli-settings.ts'
import { configFacts } from './facts/config.ts'
import { homeFacts } from './facts/home.ts'
import { hubFacts } from './facts/hub.ts'
import { logFacts } from './facts/log.ts'
import { machineFacts } from './facts/machine.ts'
import { rulesFacts } from './facts/rules.ts'
import { runsFacts } from './facts/runs.ts'
import { storageFacts } from './facts/storage.ts'
import { terminalsFacts } from './facts/terminals.ts'
import { unitFiles } from './facts/units.ts'
import { type Finding, fix, type Outcome } from './checks/finding.ts'
import type { Place } from './facts/place.ts'

export interface DoctorParts {
  readonly place: Place
  /** The MCP clients of this machine. Without it they are not examined. */
  readonly clients?: (() => Promise<readonly ConfiguredClient[]>) | undefined
}

/** No program that hangs holds up the others for longer. */
const LIMIT_MS = 8_000

/** Reads the facts of each check side by side, and judges them. Nothing is started and nothing is written. */
export async function examine({ place, clients }: DoctorParts): Promise<Finding[]> {
  const { env, configProblem } = place
  const hub = once(() => hubFacts(place))
  const storage = once(() => storageFacts(place))
  const cli = once(() => cliFacts(place))
  const checks: readonly (readonly [check: string, outcomes: () => Promise<Outcome[]>])[] = [
    ['machine', async () => judgeMachine(await machineFacts())],
    ['variables', async () => judgeVariables(env, configProblem, env[SESSION_MARK] || undefined)],
    ['claude', async () => judgeCli(await cli())],
    ['login', async () => judgeLogin(await loginFacts(place))],
    ['settings', async () => judgeSettings(await settingsFiles(place), versionOf(await cli()))],
    ['home', async () => judgeHome(await homeFacts(place))],
    ['config', async () => judgeConfig(await configFacts(place))],
    ['rules', async () => judgeRules(await rulesFacts(place))],
    ['database', async () => judgeDatabase(await storage())],
    ['disk', async () => judgeDisk(await storage())],
    ['hub', async () => judgeHub(await hub())],
    ['port', async () => judgePort(await hub())],
    ['sessions', async () => judgeRuns(await runsFacts(place))],
    ['service', async () => judgeUnits(await unitFiles(place))],
    ['log', async () => judgeLog(await logFacts(place))],
    ['terminals', async () => judgeTerminals(terminalsFacts(place, await hub(), versionOf(await cli())))],
    ...(clients === undefined ? [] : [['clients', async () => judgeClients(await clients())] as const]),
  ]
  const found = await Promise.all(checks.map(([check, outcomes]) => findingsOf(check, outcomes)))
  return found.flat()
}

async function findingsOf(check: string, outcomes: () => Promise<Outcome[]>): Promise<Finding[]> {
  const late = [
    fix(
      `It could not be checked within ${LIMIT_MS / 1_000} seconds; try again when the machine is less busy.`,
    ),
  ]
  const found = await withTimeout(outcomes(), LIMIT_MS, late).catch((error: unknown) => [
    fix(`It could not be checked: ${error instanceof Error ? error.message : String(error)}`),
  ])
  // Names of files, rules and errors are texts of others.
  return found.map(({ level, text }) => ({ check, level, text: visibleText(text.replaceAll('\n', ' ')) }))
}

/** Facts of which two checks judge a part each. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}

function versionOf(cli: CliFacts): string | undefined {
  return cli.kind === 'found' ? cli.version : undefined
}
