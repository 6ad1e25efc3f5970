import { homedir } from 'node:os'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { NoHub } from '../../hub-client/hub-address.ts'
import { readRulesFile, rulesPath } from '../../hub/rules-files.ts'
import type { CompiledRule } from '../../rules/compiled-rules.ts'
import { decideByList, decideForbidden } from '../../rules/decide.ts'
import { callFrom } from '../../rules/call-text.ts'
import { type LoadedRules, NO_RULES } from '../../rules/rules-file.ts'
import type { Verdict } from '../../rules/verdict.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import { grantLines } from '../questions/grant-lines.ts'
import type { GrantView } from '../../engine/engine.ts'
import { homeFor } from '../setup/home-settings.ts'

const USAGE =
  "Say plexus rules ls, check FILE, test 'Bash(git push)', explain QUESTION, offers QUESTION, replay FILE, suggest, add RULE, import FILE, export, or revoke ID."

/** Each verb of `rules` that takes one argument. */
const VERBS: Readonly<Record<string, (call: CommandCall, subject: string) => Promise<number> | number>> = {
  check,
  test: (call, text) => (call.flags.text('session') === undefined ? tryCall(call, text) : testIn(call, text)),
  explain,
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
  throw new AppError('invalid_input', USAGE)
}

async function exportHere(call: CommandCall): Promise<number> {
  const { forbid, rules } = rulesHere(call)
  const { exportAll } = await import('./learn-rules.ts')
  return exportAll(
    call,
    [...forbid.rules, ...rules.rules].map(({ rule }) => rule),
  )
}

/** As if the session made the call now: with its folders, its mode, its rules and what was remembered. */
async function testIn(call: CommandCall, text: string): Promise<number> {
  const { engine, context } = await call.hub('reads')
  const verdict = await engine.testCall(context, { sessionId: call.flags.text('session') ?? '', call: text })
  show(call, verdict)
  return 0
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
  if (all.length === 0) out.say('There are no rules in a file; docs/RULES.md says how to write some.')
  for (const { rule, text } of all)
    out.line(oneLine(`${rule.id}  ${text}${rule.because === undefined ? '' : `  (${rule.because})`}`))
  if (!granted) out.say('What was remembered is not shown, because no hub runs.')
  else if (granted.length > 0) out.say('Remembered with answers, where none of these decides:')
  for (const grant of granted ?? []) for (const line of grantLines(grant)) out.line(line)
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

/** A rule of the file, or what was remembered with an answer. */
async function revoke(call: CommandCall, grantId: string): Promise<number> {
  const removed = await (await import('./change-rules.ts')).removeFromFile(call, grantId)
  if (removed !== undefined) return removed
  const { hub, out } = call
  const { engine, context } = await hub('changes')
  const left = await engine.revokeGrant(context, { grantId })
  if (out.isJson) out.json({ revoked: grantId, left: left.length })
  else out.say('Such calls are asked about again.')
  return 0
}

function viewOf({ rule, text }: CompiledRule) {
  return { id: rule.id, effect: rule.effect, text, because: rule.because }
}

function check({ out }: CommandCall, path: string): number {
  const found = readRulesFile(path)
  if (!found) throw new AppError('not_found', `There is no file ${path}.`)
  const count = found.forbid.rules.length + found.rules.rules.length
  if (out.isJson) out.json({ rules: count, digest: found.digest })
  else out.say(`${oneLine(path)} has ${count} rules, and their examples hold.`)
  return 0
}

/** In this folder, as a session of the operator that works here. Nothing is run. */
function tryCall(call: CommandCall, text: string): number {
  const rules = rulesHere(call)
  const cwd = diskFiles.realPath(process.cwd()) ?? process.cwd()
  const context = {
    place: {
      files: diskFiles,
      bounds: { folders: [cwd], except: [homeFor(call.env, call.flags)] },
      cwd,
      trusted: false,
    },
    userHome: call.env['HOME'] ?? homedir(),
    sessions: [],
    caller: 'operator',
    now: Date.now(),
    harmlessIsAllowed: true,
  }
  const asked = callFrom(text, cwd)
  const forbidden = decideForbidden(asked, context, rules)
  show(call, forbidden.effect === 'none' ? decideByList(asked, context, rules.rules, 'rules') : forbidden)
  return 0
}

/** Also of a question that is gone, as long as the record has its rows. */
async function explain(call: CommandCall, approvalId: string): Promise<number> {
  const { engine, context } = await call.hub('reads')
  const explanation = await engine.explainQuestion(context, { approvalId })
  const { verdict, by, status, end, source } = explanation
  if (call.out.isJson) call.out.json({ effect: 'none', ...verdict, ...explanation })
  else if (verdict) show(call, verdict)
  else
    call.out.say(
      `No rule decided it; it is ${oneLine(end ?? status)}${by === undefined ? '' : ` by ${oneLine(by)}`}.`,
    )
  if (source === 'record') call.out.say('The question itself is gone; this is what the record says of it.')
  return 0
}

function show({ out }: CommandCall, verdict: Verdict & { readonly digest?: string | undefined }): void {
  if (out.isJson) return out.json({ ...verdict })
  const { effect, drawer, ruleId, text, because, digest } = verdict
  if (effect === 'none') return out.line('none: no rule decides, so supervise does')
  const rule = ruleId === undefined ? '' : ` by the rule ${ruleId}`
  out.line(oneLine(`${effect}${rule} (${drawer ?? ''})${text === undefined ? '' : `: ${text}`}`))
  if (because !== undefined) out.line(oneLine(`because: ${because}`))
  if (digest !== undefined) out.line(oneLine(`file: ${digest}`))
}
