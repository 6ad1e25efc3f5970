import { readFileSync } from 'node:fs'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { offerLines, replayLines, suggestionLines } from '../../command-line/questions/rule-views.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { exportRules } from '../../rules/learning/settings-export.ts'
import type { Rule } from '../../rules/rule.ts'

/** `rules replay FILE`: what the rules in a file would have decided about the stored questions. Exit 1 if they allow what was denied. */
export async function replay(call: CommandCall, file: string): Promise<number> {
  return replayText(call, textIn(file))
}

export async function replayText(call: CommandCall, rules: string): Promise<number> {
  const { flags, out, hub } = call
  const { engine, context } = await hub('changes')
  const report = await engine.replayRules(context, { rules, days: daysIn(flags.text('since')) })
  if (out.isJson) out.json({ ...report })
  else for (const line of replayLines(report)) out.line(line)
  return report.newlyAllowed.denied > 0 ? 1 : 0
}

/** `rules offers QUESTION`: the rules that could be remembered with its answer, the narrowest first. */
export async function offers({ out, hub }: CommandCall, approvalId: string): Promise<number> {
  const { engine, context } = await hub('reads')
  const found = await engine.offerRules(context, { approvalId })
  if (out.isJson) out.json({ ...found })
  else if (found.offers.length === 0) out.say('It offers no rule; only the exact call can be remembered.')
  else {
    for (const line of offerLines(found)) out.line(line)
    for (const { id, needsYes } of found.offers)
      out.say(`plexus allow ${oneLine(approvalId)} --remember session --rule ${id}${needsYes ? '-yes' : ''}`)
  }
  return 0
}

/** `rules suggest`: rules for what was answered alike at least three times. */
export async function suggest({ flags, out, hub }: CommandCall): Promise<number> {
  const { engine, context } = await hub('changes')
  const suggested = await engine.suggestRules(context, { days: daysIn(flags.text('since')) })
  if (out.isJson) out.json({ suggested })
  else if (suggested.length === 0)
    out.say('Nothing was answered alike three times without a rule, so there is nothing to suggest.')
  else {
    for (const line of suggestionLines(suggested)) out.line(line)
    out.say('plexus rules add ID adds one of them to rules.json, after it has shown what that changes.')
  }
  return 0
}

/** `rules export`: the rules of the home folder as permissions of Claude Code; what those cannot say is named. */
export function exportAll({ out }: CommandCall, rules: readonly Rule[]): number {
  const { permissions, notSaid } = exportRules(rules)
  if (out.isJson) {
    out.json({ permissions, notSaid })
    return 0
  }
  out.line(JSON.stringify({ permissions }, undefined, 2))
  for (const { rule, reason } of notSaid) out.say(oneLine(`Not exported: ${rule}: it ${reason}.`))
  if (permissions.deny.length + permissions.ask.length > 0)
    out.say('Claude Code compares commands less strictly: keep these rules here too.')
  return 0
}

export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AppError('not_found', `${file} cannot be read.`, { cause })
  }
}

/** `30d`; undefined by default. */
export function daysIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? []
  if (days !== undefined) return Number(days)
  throw new AppError('invalid_input', '--since must be a number of days such as 30d.')
}
