import { homedir } from 'node:os'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { callTyped } from '../../rules/call-text.ts'
import { decideByList, decideForbidden } from '../../rules/decide.ts'
import type { LoadedRules } from '../../rules/rules-file.ts'
import type { Verdict } from '../../rules/verdict.ts'
import { diskFiles } from '../../shell/disk-files.ts'
import { homeFor } from '../setup/home-settings.ts'

/** As if the session made the call now: with its folders, its mode, its rules and what was remembered. */
export async function testInSession(call: CommandCall, text: string): Promise<number> {
  const { engine, context } = await call.hub('reads')
  const verdict = await engine.testCall(context, { sessionId: call.flags.text('session') ?? '', call: text })
  show(call, verdict)
  return 0
}

/** In this folder, as a session of the operator that works here. Nothing is run. */
export function testHere(call: CommandCall, text: string, rules: LoadedRules): number {
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
  const asked = callTyped(text, cwd)
  const forbidden = decideForbidden(asked, context, rules)
  show(call, forbidden.effect === 'none' ? decideByList(asked, context, rules.rules, 'rules') : forbidden)
  return 0
}

/** Also of a question that is gone, as long as the record has its rows; and so a hub is started where none runs, to read them. */
export async function explain(call: CommandCall, approvalId: string): Promise<number> {
  const { engine, context } = await call.hub('changes')
  const explanation = await engine.explainQuestion(context, { approvalId }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? unknownQuestion(approvalId) : error
  })
  const { verdict, by, status, end = status, source } = explanation
  if (call.out.isJson) call.out.json({ effect: 'none', ...verdict, ...explanation })
  else if (verdict) show(call, verdict)
  else
    call.out.say(`No rule decided it; it is ${oneLine(end)}${by === undefined ? '' : ` by ${oneLine(by)}`}.`)
  if (source === 'record' && explanation.approvalId !== '')
    call.out.say('The question itself is gone; this is what the record says of it.')
  return 0
}

function unknownQuestion(given: string): AppError {
  return new AppError(
    'not_found',
    `There is no question ${given}; give one such as web.3, which plexus decisions and plexus pending list.`,
  )
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
