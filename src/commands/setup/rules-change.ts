import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { rulesPath } from '../../hub/rules-files.ts'
import { importSettings } from '../../rules/learning/settings-import.ts'
import { FileRule, type Rule } from '../../rules/rule.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { parseRules } from '../../rules/rules-file.ts'
import { applyChanges } from '../../setup/files/file-change.ts'
import { readSettings } from '../../system/files/settings-file.ts'
import { confirm } from './confirm.ts'
import { preparedHome } from './home-settings.ts'
import { requirePerson } from './require-person.ts'
import { replayText, textIn } from './rules-learning.ts'

/** What a rules file holds, as it is written. */
interface RulesText {
  readonly v: 1
  readonly forbid?: readonly { readonly id: string }[]
  readonly rules?: readonly { readonly id: string }[]
}

/** `rules import FILE`: the permissions of a settings file of Claude Code, after the rules that there are. */
export async function importFrom(call: CommandCall, file: string): Promise<number> {
  const { rules, notSaid } = importSettings(textIn(file))
  for (const { rule, reason } of notSaid) call.out.say(oneLine(`Not imported: ${rule}: it ${reason}.`))
  if (rules.length === 0) throw new AppError('invalid_input', 'There is no rule in it that can be imported.')
  return addRules(call, rules)
}

/** `rules add WHAT`: a rule as JSON, a file with one, or the id of a rule that `rules suggest` lists. */
export async function add(call: CommandCall, what: string): Promise<number> {
  if (/^r-[0-9a-f]{12}$/.test(what)) return addRules(call, [await suggestedRule(call, what)])
  const text = what.trimStart().startsWith('{') ? what : textIn(what)
  return addRules(call, [ruleIn(text)])
}

/** `rules revoke ID` of a rule that stands in the file. False if there is none of this id. */
export async function removeFromFile(call: CommandCall, id: string): Promise<number | undefined> {
  const home = await preparedHome(call.env, call.flags)
  const before = readSettings(rulesPath(home))
  const file = before === undefined ? undefined : fileIn(before)
  const { forbid = [], rules = [] } = file ?? {}
  if (![...forbid, ...rules].some((rule) => rule.id === id)) return undefined
  const without = (list: readonly { readonly id: string }[]) => list.filter((rule) => rule.id !== id)
  return save(call, { v: 1, forbid: without(forbid), rules: without(rules) }, `Remove the rule ${id}?`)
}

async function addRules(call: CommandCall, added: readonly Rule[]): Promise<number> {
  const home = await preparedHome(call.env, call.flags)
  const before = readSettings(rulesPath(home))
  const { forbid = [], rules = [] } = before === undefined ? {} : fileIn(before)
  const known = new Set([...forbid, ...rules].map(({ id }) => id))
  const fresh = added.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) {
    call.out.say('The rules are in rules.json already.')
    return 0
  }
  if (!call.out.isJson) for (const rule of fresh) call.out.say(oneLine(`${rule.id}  ${ruleText(rule)}`))
  const next = { v: 1, forbid, rules: [...rules, ...fresh] } as const
  return save(call, next, fresh.length === 1 ? 'Add this rule?' : `Add these ${fresh.length} rules?`)
}

/** Shows what the new rules would have decided, asks, and saves. */
async function save(call: CommandCall, next: RulesText, question: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'change the rules')
  const path = rulesPath(await preparedHome(env, flags))
  const before = readSettings(path)
  const after = `${JSON.stringify(next, undefined, 2)}\n`
  parseRules(after)
  await replayText(call, after)
  if (!(await confirm(question, call))) return 1
  applyChanges([{ path, before, after }])
  if (!out.isJson) out.say(`${oneLine(path)} is saved; it counts from the next call on.`)
  return 0
}

/** The file must be right before it is changed. */
function fileIn(text: string): RulesText {
  parseRules(text)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parseRules has checked that it is a rules file
  return JSON.parse(text) as RulesText
}

function ruleIn(text: string): Rule {
  try {
    return FileRule.parse(JSON.parse(text))
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      'It is not one rule as JSON, such as {"id":"tests","effect":"allow","command":"npm test *"}.',
      { cause },
    )
  }
}

async function suggestedRule({ hub }: CommandCall, id: string): Promise<Rule> {
  const { engine, context } = await hub('changes')
  const found = (await engine.suggestRules(context, {})).find(({ rule }) => rule.id === id)
  if (found) return found.rule
  throw new AppError(
    'not_found',
    `No rule ${id} is suggested now; plexus rules suggest lists those that are.`,
  )
}
