import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { wordRows } from '../../command-line/terminal/word-rows.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import { readRulesFile, rulesPath } from '../../hub/rules-files.ts'
import type { CompiledRule } from '../../rules/compiled-rules.ts'
import { type LoadedRules, NO_RULES } from '../../rules/rules-file.ts'
import { grantLines } from '../questions/grant-lines.ts'
import type { GrantView } from '../../engine/engine.ts'
import { homeFor } from '../setup/home-settings.ts'

const USAGE =
  "Say plexus rules ls, check FILE, test 'Bash(git push)', explain QUESTION, offers QUESTION, replay FILE, suggest, add RULE, import FILE, export, or revoke ID."

/** Each verb of `rules` that takes one argument. */
const VERBS: Readonly<Record<string, (call: CommandCall, subject: string) => Promise<number> | number>> = {
  check,
  test: async (call, text) => {
    const { testHere, testInSession } = await import('./try-call.ts')
    return call.flags.text('session') === undefined
      ? testHere(call, text, rulesHere(call))
      : testInSession(call, text)
  },
  explain: async (call, question) => (await import('./try-call.ts')).explain(call, question),
  revoke,
  offers: async (call, question) => (await import('./learn-rules.ts')).offers(call, question),
  replay: async (call, file) => (await import('./learn-rules.ts')).replay(call, file),
  import: async (call, file) => (await import('./change-rules.ts')).importFrom(call, file),
  add: async (call, rule) => (await import('./change-rules.ts')).add(call, rule),
}

/** `rules ls`, `rules check FILE`, `rules test CALL`, `rules explain QUESTION`, `rules replay FILE` and so on. */
export async function run(call: CommandCall): Promise<number> {
  const [verb = '', subject, ...more] = call.args
  if (verb === 'ls' && subject === undefined) return list(call)
  if (verb === 'suggest' && subject === undefined) return (await import('./learn-rules.ts')).suggest(call)
  if (verb === 'export' && subject === undefined) return exportHere(call)
  const work = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (work && subject !== undefined && more.length === 0) return work(call, subject)
  if (work && subject === undefined)
    throw new AppError('invalid_input', `Say what to ${verb}: ${exampleOf(verb)}.`)
  throw new AppError('invalid_input', USAGE)
}

/** Of a verb that takes one argument, as the sentence about all of them has it. */
function exampleOf(verb: string): string {
  return `plexus rules ${new RegExp(`\\b${verb} (?:'[^']*'|[A-Z]+)`).exec(USAGE)?.[0] ?? verb}`
}

async function exportHere(call: CommandCall): Promise<number> {
  const { forbid, rules } = rulesHere(call)
  const { exportAll } = await import('./learn-rules.ts')
  return exportAll(
    call,
    [...forbid.rules, ...rules.rules].map(({ rule }) => rule),
  )
}

/** Of this home folder; an error says what is wrong with the file, and what holds until then. */
function rulesHere({ env, flags }: CommandCall): LoadedRules {
  const path = rulesPath(homeFor(env, flags))
  try {
    return readRulesFile(path) ?? NO_RULES
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'it cannot be read.'
    throw new AppError(
      'invalid_input',
      `${path}: ${reason} Until it is corrected, all that its rules decided is asked about, and what they forbade stays forbidden.`,
    )
  }
}

/** Those of the file, then what was remembered with answers, if a hub runs. */
async function list(call: CommandCall): Promise<number> {
  const { out } = call
  const { forbid, rules, digest } = rulesHere(call)
  const all = [...forbid.rules, ...rules.rules]
  const granted = await grantsNow(call)
  if (out.isJson) {
    out.json({ digest, rules: all.map(viewOf), ...(granted ? { granted } : {}) })
    return 0
  }
  if (all.length === 0) out.explain('There are no rules in a file; docs/RULES.md says how to write some.')
  const print = (line: string) => wordRows(line, out.columns).forEach(out.line)
  for (const { rule, text } of all)
    print(oneLine(`${rule.id}  ${text}${rule.because === undefined ? '' : `  (${rule.because})`}`))
  if (!granted) out.explain('What was remembered is not shown, because no hub runs.')
  else if (granted.length > 0) out.explain('Remembered with answers, where none of these decides:')
  for (const grant of granted ?? []) for (const line of grantLines(grant)) print(line)
  return 0
}

/** Undefined if no hub runs: to list what a file says, none is started. */
async function grantsNow({ hub }: CommandCall): Promise<GrantView[] | undefined> {
  const { engine, context } = await hub('reads')
  return engine.listGrants(context, {}).catch((error: unknown) => {
    if (error instanceof NoHub) return undefined
    throw error
  })
}

function nothingToRevoke(id: string): AppError {
  return new AppError('not_found', `There is no rule and no grant ${id}; plexus rules ls lists them.`)
}

/** A rule of the file, or what was remembered with an answer. */
async function revoke(call: CommandCall, grantId: string): Promise<number> {
  const removed = await (await import('./change-rules.ts')).removeFromFile(call, grantId)
  if (removed !== undefined) return removed
  const { hub, out } = call
  const { engine, context } = await hub('changes')
  const left = await engine.revokeGrant(context, { grantId }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? nothingToRevoke(grantId) : error
  })
  if (out.isJson) out.json({ revoked: grantId, left: left.length })
  else out.say('Such calls are asked about again.')
  return 0
}

function viewOf({ rule, text }: CompiledRule) {
  return { id: rule.id, effect: rule.effect, text, because: rule.because }
}

function check({ out }: CommandCall, path: string): number {
  const found = checkedFile(path)
  if (!found) throw new AppError('not_found', `There is no file ${path}.`)
  const count = found.forbid.rules.length + found.rules.rules.length
  if (out.isJson) out.json({ rules: count, digest: found.digest })
  else out.say(`${oneLine(path)} has ${count} rules, and their examples hold.`)
  return 0
}

/** The error says in which file it is, and where. */
function checkedFile(path: string): LoadedRules | undefined {
  try {
    return readRulesFile(path)
  } catch (error) {
    throw error instanceof AppError
      ? new AppError(error.code, `${path}: ${error.message}`, { cause: error })
      : error
  }
}
