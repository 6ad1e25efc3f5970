import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

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
  readonly request?: { readonly subtype: string; readonly input: object }
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

interface Bare {
  readonly args: readonly string[]
  /** What it is sent before its first prompt. */
  readonly first?: object
  /** How often it asks in a turn. */
  readonly questions: number
}

function startBare({ cli, env, project }: BarePlace, { args, first, questions }: Bare): BareCli {
  const streams = ['--input-format=stream-json', '--output-format=stream-json', '--verbose']
  const child = spawn(cli, ['-p', ...streams, ...args], {
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
      if (line.type === 'control_request') write(answerTo(line))
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

function answerTo({ request_id, request }: Line): object {
  const response =
    request?.subtype === 'hook_callback' ? ASK : { behavior: 'allow', updatedInput: request?.input }
  return { type: 'control_response', response: { subtype: 'success', request_id, response } }
}

const ASK = {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'ask',
    permissionDecisionReason: 'It is asked about.',
  },
}
