import { everyCommand, isHarmlessCommand } from '../shell/harmless.ts'
import type { SimpleCommand } from '../shell/lines/simple-commands.ts'
import type { CompiledRule, RuleList } from './compiled-rules.ts'
import type { CallHolds } from './conditions.ts'
import type { ReadCommand } from './lines/found-commands.ts'
import { allowsCommand } from './match-command.ts'
import type { RuleCall, RuleContext } from './rule-call.ts'

/** What allows a command: a rule, or that it is known to be harmless; undefined if nothing does. */
export type AllowedBy = CompiledRule | 'harmless' | undefined

interface SimpleLine {
  readonly simple: readonly SimpleCommand[]
  /** The same commands as rules read them, in this order; others that stand in their arguments may follow. */
  readonly commands: readonly ReadCommand[]
}

/**
 * For each command what allows it; undefined as a whole if it is not certain in which folder each of them runs.
 */
export function allowedCommands(
  { simple, commands }: SimpleLine,
  { cwd }: RuleCall,
  context: RuleContext,
  { list, holds }: { list: RuleList; holds: CallHolds },
): readonly AllowedBy[] | undefined {
  const { place, harmlessIsAllowed } = context
  const real = cwd === undefined ? place.cwd : place.files.realPath(cwd)
  if (real === undefined) return undefined
  if (cwd === undefined && simple.some(({ name }) => name === 'cd')) return undefined
  const here = real === place.cwd ? place : { ...place, cwd: real }
  // A `cd` that stays in the session's folders needs no rule, and is not compared with any.
  const found: AllowedBy[] = simple.map(unlessCd)
  const isCertain = everyCommand(simple, here, (command, inFolder, index) => {
    if (cwd === undefined && dependsOnFolder(command)) return true
    const words = commands[index]?.words ?? []
    found[index] = allowsCommand(list, { command, words }, inFolder, holds)
    if (harmlessIsAllowed && !found[index] && isHarmlessCommand(command, inFolder)) found[index] = 'harmless'
    return true
  })
  return isCertain ? found : undefined
}

function unlessCd({ name }: SimpleCommand): AllowedBy {
  return name === 'cd' ? 'harmless' : undefined
}

/** Without the folder of the shell it is not known which file a path leads to. */
function dependsOnFolder({ name, reads, writes }: SimpleCommand): boolean {
  return name.includes('/') || reads.length > 0 || writes.some(({ text }) => text !== '/dev/null')
}

/** The rules that allow a line together: each of its commands is allowed, and one of them by a rule. */
export function rulesThatAllow(allowed: readonly AllowedBy[]): readonly CompiledRule[] {
  const used: CompiledRule[] = []
  for (const by of allowed) {
    if (by === undefined) return NO_RULES
    if (by !== 'harmless' && !used.includes(by)) used.push(by)
  }
  return used
}

const NO_RULES: readonly CompiledRule[] = []
