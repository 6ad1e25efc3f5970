import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface BareCli {
  /** A prompt until its result; whatever is asked meanwhile is answered at once. */
  readonly turn: () => Promise<void>
  readonly end: () => Promise<void>
}

interface Place {
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
export function allowedCli(place: Place): BareCli {
  return startBare(place, ['--allowedTools=Bash(touch:*)'])
}

/** The same where each call is seen by a hook and then asked about, as a supervised session does it. */
export function askingCli(place: Place): BareCli {
  const hooks = { PreToolUse: [{ matcher: null, hookCallbackIds: ['bare'], timeout: 600 }] }
  const request = { subtype: 'initialize', hooks }
  const first = { type: 'control_request', request_id: 'initialize', request }
  return startBare(place, ['--permission-mode=default', '--permission-prompt-tool=stdio'], first)
}

function startBare({ cli, env, project }: Place, args: readonly string[], first?: object): BareCli {
  const streams = ['--input-format=stream-json', '--output-format=stream-json', '--verbose']
  const child = spawn(cli, ['-p', ...streams, ...args], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const write = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  if (first) write(first)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    turn: async () => {
      write({ type: 'user', message: { role: 'user', content: 'go' }, uuid: randomUUID() })
      for (;;) {
        const { value } = await lines.next()
        const line: Line = JSON.parse(value)
        if (line.type === 'control_request') write(answerTo(line))
        if (line.type !== 'result') continue
        if (line.is_error || line.permission_denials?.length) throw new Error(`The turn failed: ${value}`)
        return
      }
    },
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
