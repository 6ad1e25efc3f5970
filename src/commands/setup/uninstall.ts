import { requireOutside } from '../../assembly/outside-session.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines, type Column } from '../../command-line/views/columns.ts'
import { oneLine, shortFolder } from '../../command-line/views/session-words.ts'
import { hasAllowRules, planRulesRemoval, planUninstall } from '../../setup/clients/plan-changes.ts'
import { clientNamed } from '../../setup/clients/client-table.ts'
import { fileOf } from '../../setup/clients/configured-clients.ts'
import { type InstalledPart, installedParts } from '../../setup/clients/installed-parts.ts'
import { applyChanges } from '../../setup/files/file-change.ts'
import { confirm } from './confirm.ts'
import { homeFor } from './home-settings.ts'
import { showChanges } from './show-changes.ts'

/** `plexus uninstall CLIENT` takes Plexus out of a client; without a name it lists what is on this machine. */
export async function run(call: CommandCall): Promise<number> {
  const { args, flags, env, out } = call
  const [name] = args
  if (name === undefined) return list(call)
  const client = clientNamed(name)
  requireOutside(env)
  const place = { env, platform: process.platform }
  const isClaude = client.name === 'claude-code'
  const changes = [
    ...planUninstall(client, place),
    ...(isClaude && flags.isSet('allow-rules') ? planRulesRemoval(place) : []),
  ]
  if (changes.length > 0) {
    if (!out.isJson) showChanges(changes, out)
    if (!(await confirm(`Change ${changes.length === 1 ? 'it' : 'both'}?`, call))) return 1
    applyChanges(changes)
  }
  if (out.isJson) out.json({ client: name, changed: changes.map(({ path }) => ({ path })) })
  else if (changes.length > 0)
    out.say(`Plexus is no longer in ${client.title}. One that runs now has it until it is started again.`)
  else out.say(`${fileOf(client, place)} has no entry of Plexus; nothing changes.`)
  if (isClaude && !out.isJson && hasAllowRules(place))
    out.say(
      'Its settings still have allow rules for tools of Plexus; plexus uninstall claude-code --allow-rules removes those that install adds.',
    )
  return 0
}

async function list(call: CommandCall): Promise<number> {
  const { env, out, flags } = call
  const parts = await installedParts(env, homeFor(env, flags))
  if (out.isJson) out.json({ parts })
  else for (const line of alignedLines(partColumns(parts, env['HOME']), out.columns)) out.line(line)
  if (!out.isJson)
    out.say(
      'Nothing is removed by this list. Transcripts of your sessions stay with Claude Code; docs/UNINSTALL.md says where.',
    )
  return 0
}

function partColumns(parts: readonly InstalledPart[], homeFolder: string | undefined): Column[] {
  return [
    { title: 'PART', cells: parts.map(({ what }) => what) },
    { title: 'WHERE', cells: parts.map(({ where }) => shortFolder(where, homeFolder)), flexible: true },
    { title: 'REMOVED BY', cells: parts.map(({ command }) => oneLine(command)) },
  ]
}
