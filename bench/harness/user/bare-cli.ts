import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { childArgs } from '../../../src/child/launch/child-args.ts'
import { childSettings } from '../../../src/child/launch/child-settings.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { initialize } from '../../../src/child/lines/stdin-messages.ts'

export interface BareCli {
  /** A prompt until its result; whatever is asked meanwhile is answered at once. */
  readonly turn: () => Promise<void>
  /** Begins a new conversation. */
  readonly clear: () => Promise<void>
  readonly end: () => Promise<void>
}

export interface BarePlace {
  readonly cli: string
  readonly env: Record<string, string>
  readonly project: string
}

interface Line {
  readonly type: string
  readonly is_error?: boolean
  readonly permission_denials?: readonly unknown[]
  readonly request_id?: string
  readonly request?: {
    readonly subtype: string
    readonly input: { readonly hook_event_name?: string }
  }
}

/** The CLI on plain pipes, whose command is allowed beforehand. */
export function allowedCli(place: BarePlace): BareCli {
  return startBare(place, { args: ['--allowedTools=Bash(touch:*)'], questions: 0 })
}

/** The same where each call is seen by a hook and then asked about, as a supervised session does it. */
export function askingCli(place: BarePlace, questions: number): BareCli {
  const hooks = { PreToolUse: [{ matcher: null, hookCallbackIds: ['bare'], timeout: 600 }] }
  const request = { subtype: 'initialize', hooks }
  const first = { type: 'control_request', request_id: 'initialize', request }
  const args = ['--permission-mode=default', '--permission-prompt-tool=stdio']
  return startBare(place, { args, first, questions })
}

/** The CLI on plain pipes as a supervised session starts it: all our flags, settings and hooks, and nothing else of ours. */
export function supervisedCli(
  place: BarePlace,
  { questions, options = {} }: { readonly questions: number; readonly options?: object },
): BareCli {
  const args = childArgs(StartOptions.parse({ workingDirectory: place.project, ...options }), {
    kind: 'new',
    sessionId: randomUUID(),
    settings: childSettings(join(dirname(place.project), 'home')),
    trusted: false,
  })
  return startBare(place, { args, first: initialize(LEASE_SECONDS), questions })
}

const LEASE_SECONDS = 1_800

interface Bare {
  readonly args: readonly string[]
  /** What it is sent before its first prompt. */
  readonly first?: object
  /** How often it asks in a turn. */
  readonly questions: number
}

function startBare({ cli, env, project }: BarePlace, { args, first, questions }: Bare): BareCli {
  const streams = ['-p', '--input-format=stream-json', '--output-format=stream-json', '--verbose']
  const child = spawn(cli, [...new Set([...streams, ...args])], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const write = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  if (first) write(first)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const say = async (content: string, expected: number) => {
    write({ type: 'user', message: { role: 'user', content }, uuid: randomUUID() })
    for (let asked = 0; ;) {
      const { value } = await lines.next()
      const line: Line = JSON.parse(value)
      if (line.type === 'control_request') write(answerTo(line, expected > 0))
      if (line.request?.subtype === 'can_use_tool') asked++
      if (line.type !== 'result') continue
      if (line.is_error || line.permission_denials?.length || asked !== expected)
        throw new Error(`The turn failed after ${asked} questions: ${value}`)
      return
    }
  }
  return {
    turn: () => say('go', questions),
    clear: () => say('/clear', 0),
    end: async () => {
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    },
  }
}

function answerTo({ request_id, request }: Line, asks: boolean): object {
  const response = request && responseTo(request, asks)
  return { type: 'control_response', response: { subtype: 'success', request_id, response } }
}

function responseTo({ subtype, input }: NonNullable<Line['request']>, asks: boolean): object {
  if (subtype !== 'hook_callback') return { behavior: 'allow', updatedInput: input }
  return asks && input.hook_event_name === 'PreToolUse' ? ASK : {}
}

const ASK = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: 'It is asked about.',
  },
}
