import { defaultHome, type Env } from '../../assembly/config.ts'
import { requireOutside } from '../../assembly/outside-session.ts'
import { INVALID_ASK, isAsk } from '../../base/ask-setting.ts'
import { AppError } from '../../base/errors.ts'
import { INVALID_CLIENT_NAME, isClientName } from '../../callers/client-name.ts'
import type { CommandCall, FlagValues } from '../../command-line/command.ts'
import { ALLOW_RULES } from '../../setup/clients/allow-rules.ts'
import { onlyEntry } from '../../setup/clients/client-entry.ts'
import { type Client, clientNamed } from '../../setup/clients/client-table.ts'
import { type ConfiguredClient, configuredClients, fileOf } from '../../setup/clients/configured-clients.ts'
import { type McpFlags, ownCommand, thisProgram } from '../../setup/clients/own-command.ts'
import { planInstall, planRules } from '../../setup/clients/plan-changes.ts'
import { applyChanges, backupPath } from '../../setup/files/file-change.ts'
import { confirm } from './confirm.ts'
import { homeFor } from './home-settings.ts'
import { requirePerson } from './require-person.ts'
import { showChanges } from './show-changes.ts'
import { alignedLines, type Column } from '../../command-line/views/columns.ts'
import { oneLine, shortFolder } from '../../command-line/views/session-words.ts'

const TRY_IT =
  'Then say to it, for example: Use plexus to start a session in /tmp/try that runs `echo hello > greeting.txt`. Show me what it asks before you answer.'
const SUGGESTION =
  'Claude Code asks you before each call. plexus install claude-code --allow-rules lets it start, watch and list sessions unasked; what they ask is still put to you.'

/** `plexus install` lists the clients, `plexus install CLIENT` adds Plexus to one. */
export async function run(call: CommandCall): Promise<number> {
  const { args, flags, env, out } = call
  const [name] = args
  if (name === undefined) return list(call)
  const client = clientNamed(name)
  const words = ownCommand(thisProgram(), mcpFlags(flags, env))
  if (flags.isSet('print')) {
    const file = fileOf(client, { env, platform: process.platform })
    const text = onlyEntry(client, client.entry(words)).trimEnd()
    if (out.isJson) out.json({ client: name, file, text })
    else {
      out.say(`In ${file}:`)
      out.line(text)
    }
    return 0
  }
  requireOutside(env)
  const place = { env, platform: process.platform }
  const changes = [
    ...planInstall(client, place, words),
    ...(wantsRules(client, flags, env) ? planRules(place) : []),
  ]
  const [first] = changes
  if (first && !out.isJson) showChanges(changes, out)
  if (first && !(await confirm(`Change ${changes.length === 1 ? 'it' : 'both'}?`, call))) return 1
  applyChanges(changes)
  const files = changes.map(({ path, before, backup }) => ({
    path,
    ...(backup === 'made' && before !== undefined ? { backup: backupPath(path) } : {}),
  }))
  if (out.isJson) out.json({ client: name, changed: files })
  else if (first) sayDone(call, client, files)
  else out.say(`${client.title} starts this program already (${fileOf(client, place)}); nothing changes.`)
  return 0
}

function sayDone(
  { out, flags }: CommandCall,
  client: Client,
  files: readonly { path: string; backup?: string }[],
): void {
  const copies = files.flatMap(({ backup }) => backup ?? [])
  const kept = copies.length === 0 ? '' : ` What was there before is kept in ${copies.join(' and ')}.`
  out.say(`Plexus is added to ${client.title}.${kept}`)
  out.say(`${client.restart} ${TRY_IT}`)
  if (client.name === 'claude-code' && !flags.isSet('allow-rules')) out.say(SUGGESTION)
}

async function list({ env, out }: CommandCall): Promise<number> {
  const clients = await configuredClients(env)
  if (out.isJson) out.json({ clients })
  else for (const line of alignedLines(clientColumns(clients, env['HOME']), out.columns)) out.line(line)
  return 0
}

/** The clients as a table. */
function clientColumns(clients: readonly ConfiguredClient[], homeFolder: string | undefined): Column[] {
  const column = (title: string, cellOf: (one: ConfiguredClient) => string): Column => ({
    title,
    cells: clients.map(cellOf),
  })
  return [
    column('CLIENT', ({ client }) => client),
    column('HERE', ({ found }) => (found ? 'yes' : 'no')),
    column('PLEXUS', stateText),
    { ...column('FILE', ({ file }) => shortFolder(file, homeFolder)), flexible: true },
  ]
}

function stateText({ state, command }: ConfiguredClient): string {
  return state === 'other' ? `other: ${oneLine(command ?? '')}` : state
}

/** A home folder that is not the one by default is written down: a client is started in another environment than this. */
function mcpFlags(flags: FlagValues, env: Env): McpFlags {
  const [as, ask] = [flags.text('as'), flags.text('ask')]
  if (as !== undefined && !isClientName(as))
    throw new AppError('invalid_input', `--as ${INVALID_CLIENT_NAME}`)
  if (ask !== undefined && !isAsk(ask)) throw new AppError('invalid_input', `--${INVALID_ASK}`)
  const home = homeFor(env, flags)
  return { as, ask, home: env['HOME'] && home === defaultHome(env) ? undefined : home }
}

function wantsRules({ name }: Client, flags: FlagValues, env: Env): boolean {
  if (!flags.isSet('allow-rules')) return false
  if (name !== 'claude-code')
    throw new AppError('invalid_input', '--allow-rules is for claude-code only; omit it.')
  requirePerson(env, `allow ${ALLOW_RULES.join(', ')}`)
  return true
}
