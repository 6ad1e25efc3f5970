import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { replayLines } from '../../command-line/questions/rule-views.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { rulesPath } from '../../hub/rules-files.ts'
import { rulesTextIn, textOfRules, withAddedRules } from '../../rules/learning/add-rules.ts'
import { FileRule, type Rule } from '../../rules/rule.ts'
import { ruleText } from '../../rules/rule-text.ts'
import { applyChanges } from '../../setup/files/file-change.ts'
import { readSettings } from '../../system/files/settings-file.ts'
import { confirm } from '../setup/confirm.ts'
import { preparedHome } from '../setup/home-settings.ts'
import { requirePerson } from '../setup/require-person.ts'
import { daysIn, replayText, textIn } from './learn-rules.ts'

/** `rules import FILE`: the permissions of a settings file of Claude Code, after the rules that there are. */
export async function importFrom(call: CommandCall, file: string): Promise<number> {
  const { env, out } = call
  requirePerson(env, 'change the rules')
  const settings = textIn(file)
  const { engine, context } = await call.hub('changes')
  const days = daysIn(call.flags.text('since'))
  const shown = await engine.importRules(context, { settings, days })
  const { added, known, notSaid, digest, replay } = shown
  for (const { rule, reason } of notSaid) out.say(oneLine(`Not imported: ${rule}: it ${reason}.`))
  if (added.length === 0 && known === 0)
    throw new AppError('invalid_input', 'There is no rule in it that can be imported.')
  if (added.length === 0) {
    out.say('The rules are in rules.json already.')
    return 0
  }
  if (out.isJson) out.json({ ...replay })
  else {
    for (const { id, text } of added) out.say(oneLine(`${id}  ${text}`))
    for (const line of replayLines(replay)) out.line(line)
  }
  if (!(await confirm(added.length === 1 ? 'Add this rule?' : `Add these ${added.length} rules?`, call)))
    return 1
  await engine.importRules(context, { settings, days, replaces: digest })
  if (!out.isJson) out.say('rules.json is saved; it counts from the next call on.')
  return 0
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
  const file = before === undefined ? undefined : rulesTextIn(before)
  const { forbid = [], rules = [] } = file ?? {}
  if (![...forbid, ...rules].some((rule) => rule.id === id)) return undefined
  const without = (list: readonly { readonly id: string }[]) => list.filter((rule) => rule.id !== id)
  const after = textOfRules({ v: 1, forbid: without(forbid), rules: without(rules) })
  return save(call, after, `Remove the rule ${id}?`)
}

async function addRules(call: CommandCall, added: readonly Rule[]): Promise<number> {
  const home = await preparedHome(call.env, call.flags)
  const { fresh, after } = withAddedRules(readSettings(rulesPath(home)), added)
  if (fresh.length === 0) {
    call.out.say('The rules are in rules.json already.')
    return 0
  }
  if (!call.out.isJson) for (const rule of fresh) call.out.say(oneLine(`${rule.id}  ${ruleText(rule)}`))
  return save(call, after, fresh.length === 1 ? 'Add this rule?' : `Add these ${fresh.length} rules?`)
}

/** Shows what the new rules would have decided, asks, and saves. */
async function save(call: CommandCall, after: string, question: string): Promise<number> {
  const { env, flags, out } = call
  requirePerson(env, 'change the rules')
  const path = rulesPath(await preparedHome(env, flags))
  const before = readSettings(path)
  await replayText(call, after)
  if (!(await confirm(question, call))) return 1
  applyChanges([{ path, before, after }])
  if (!out.isJson) out.say(`${oneLine(path)} is saved; it counts from the next call on.`)
  return 0
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
