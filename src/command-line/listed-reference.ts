import { AppError } from '../base/errors.ts'
import type { ClientHub, Command } from './command.ts'
import type { ListedItem } from './last-list.ts'

const REFERENCE = /^@[1-9]\d{0,3}$/

/** Where a command is given `@1` in the place of a session or a question. */
export function hasReference(command: Command, args: readonly string[]): boolean {
  return args.some((arg, index) => isReference(command, arg, index))
}

/** The arguments with each `@1` replaced by the id that it stands for. A line that is no longer true is refused. */
export async function withoutReferences(
  command: Command,
  args: readonly string[],
  client: ClientHub,
  itemOf: (reference: string) => Promise<ListedItem>,
): Promise<string[]> {
  const found: string[] = []
  for (const [index, arg] of args.entries())
    found.push(isReference(command, arg, index) ? await idFor(command, client, arg, await itemOf(arg)) : arg)
  return found
}

/** Only where the table has a session or a question: a prompt may begin with `@1` too. */
function isReference({ args = '' }: Command, arg: string, index: number): boolean {
  const words = args.split(' ')
  const last = words.at(-1) ?? ''
  const word = words[index] ?? (last.includes('...') ? last : '')
  return REFERENCE.test(arg) && /^\[?(SESSION|ID)\b/.test(word)
}

async function idFor(
  { completes, args }: Command,
  { engine, context }: ClientHub,
  reference: string,
  item: ListedItem,
): Promise<string> {
  const outdated = (what: string) =>
    new AppError(
      'changed',
      `${reference} was ${item.label} in the last list of this terminal, and ${what}; list again.`,
    )
  if (item.kind === 'question') {
    const now = await engine.getApproval(context, { approvalId: item.id }).catch(() => undefined)
    if (!now) throw outdated('it is gone')
    if (now.status !== 'pending') throw outdated(`it is ${now.status} by now`)
    if (now.inputSha256 !== item.inputSha256) throw outdated('it asks something else now')
    return completes === 'question' || args?.startsWith('ID') ? item.id : item.sessionId
  }
  const session = await engine.getSession(context, { sessionId: item.id }).catch(() => undefined)
  if (!session) throw outdated('it is gone')
  if (completes !== 'question') return item.id
  const open = await engine.pending(context, { sessionId: item.id })
  const isSame = open.length === item.open.length && open.every(({ id }) => item.open.includes(id))
  if (!isSame) throw outdated('its questions are others now')
  return item.id
}
