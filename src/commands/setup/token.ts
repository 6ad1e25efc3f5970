import { rmSync } from 'node:fs'
import { readConfigFile } from '../../assembly/config-file.ts'
import { AppError } from '../../base/errors.ts'
import { INVALID_CLIENT_NAME, isClientName } from '../../callers/client-name.ts'
import { SCOPES } from '../../callers/scopes.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { alignedLines } from '../../command-line/views/columns.ts'
import { clientNames, clientToken, clientTokenPath } from '../../hub/tokens/client-tokens.ts'
import { applyChanges } from '../../setup/files/file-change.ts'
import { withMember, withoutEmpty, withoutMember } from '../../setup/files/jsonc-edit.ts'
import { confirm } from './confirm.ts'
import { homeFor, planSettings, preparedHome } from './home-settings.ts'
import { requirePerson } from './require-person.ts'
import { showChanges } from './show-changes.ts'
import { clientTokens, tokenColumns } from './token-list.ts'

/** `token ls`, `token add NAME` and `token rm NAME`. */
export async function run(call: CommandCall): Promise<number> {
  const [verb, name] = call.args
  if (verb === 'ls' && name === undefined) return list(call)
  if (verb === 'add' && name !== undefined) return add(call, name)
  if (verb === 'rm' && name !== undefined) return remove(call, name)
  throw new AppError('invalid_input', 'Say plexus token ls, plexus token add NAME, or plexus token rm NAME.')
}

async function list(call: CommandCall): Promise<number> {
  const { env, flags, out } = call
  const clients = await clientTokens(homeFor(env, flags), call)
  if (out.isJson) out.json({ clients })
  else if (clients.length === 0) out.say('No client has a token of its own; plexus token add NAME makes one.')
  else for (const line of alignedLines(tokenColumns(clients, Date.now()), out.columns)) out.line(line)
  return 0
}

/** The token itself is printed only if that is asked for: a path can be shown to anybody. */
async function add(call: CommandCall, name: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'make a token')
  if (!isClientName(name)) throw new AppError('invalid_input', `The name ${INVALID_CLIENT_NAME}`)
  const scopes = scopesFrom(flags.text('scope'))
  const home = await preparedHome(env, flags)
  const changes = scopes ? planSettings(home, (text) => withMember(text, ['scopes', name], scopes)) : []
  if (changes.length > 0) {
    if (!out.isJson) showChanges(changes, out)
    if (!(await confirm(`Give ${name} these scopes?`, call))) return 1
  }
  const isNew = !clientNames(home).includes(name)
  const token = await clientToken(home, name)
  applyChanges(changes)
  const file = clientTokenPath(home, name)
  const given = new Map(Object.entries(readConfigFile(home).scopes)).get(name) ?? []
  const shown = flags.isSet('show') ? { token } : {}
  if (out.isJson) out.json({ name, file, scopes: given, ...shown })
  else out.line(flags.isSet('show') ? token : file)
  if (!out.isJson)
    out.say(
      `${isNew ? 'A token was made for' : 'There is a token already for'} ${name}, which may use its own sessions${given.length > 0 ? `, and has ${given.join(' and ')}` : ''}.`,
    )
  return 0
}

/** Its scopes go too: the next client of this name must not inherit them. */
async function remove(call: CommandCall, name: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'remove a token')
  const home = homeFor(env, flags)
  const hasToken = isClientName(name) && clientNames(home).includes(name)
  const changes = planSettings(home, (text) =>
    withoutEmpty(withoutMember(text, ['scopes', name]), ['scopes']),
  )
  if (!hasToken && changes.length === 0)
    throw new AppError('not_found', `No client ${name} has a token; plexus token ls lists those that have.`)
  if (!out.isJson) showChanges(changes, out)
  if (!(await confirm(`Remove the token of ${name}?`, call))) return 1
  if (hasToken) rmSync(clientTokenPath(home, name))
  applyChanges(changes)
  if (out.isJson) out.json({ removed: name })
  else out.say(`${name} is refused from now on. Its sessions stay, and you can use them.`)
  return 0
}

function scopesFrom(text: string | undefined): string[] | undefined {
  const scopes = text?.split(',').map((scope) => scope.trim())
  if (scopes?.every((scope) => SCOPES.some((known) => known === scope)) === false)
    throw new AppError('invalid_input', `--scope must be ${SCOPES.join(' or ')}, or both with a comma.`)
  return scopes
}
