import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { constants, openSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'

/**
 * A CLI that costs next to nothing: it prints what is said in one FIFO of its folder and hands what it hears to another, so
 * that a figure can play it, and knows when a question was asked and when its answer came.
 */
const RELAY = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.197 (Claude Code)' && exit
exec 3<&0
cat <&3 >hears &
exec cat says
`

/** The path of that CLI, in this folder. */
export async function playedCli(folder: string): Promise<string> {
  const program = join(folder, 'played')
  await writeFile(program, RELAY)
  await chmod(program, 0o700)
  return program
}

interface Heard {
  readonly type: string
  readonly request_id?: string
  readonly request?: { readonly subtype: string; readonly hooks?: Hooks }
  readonly response?: { readonly request_id: string }
}

type Hooks = Readonly<Record<string, readonly { readonly hookCallbackIds: readonly string[] }[]>>

/** The child of one session, in the hands of a figure. Its folder is made before the session is started in it. */
export class PlayedChild {
  readonly folder: string
  readonly #says: Socket
  readonly #hears: Socket
  readonly #waiting = new Map<string, () => void>()
  /** As they were registered. */
  #hooks: Hooks = {}
  #asked = 0
  #prompts = 0
  #onPrompt = () => {}

  private constructor(folder: string, says: Socket, hears: Socket) {
    this.folder = folder
    this.#says = says
    this.#hears = hears
    let rest = ''
    hears.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#hear(JSON.parse(line))
    })
  }

  static async in(folder: string): Promise<PlayedChild> {
    await mkdir(folder)
    const ends = ['says', 'hears'].map((name) => {
      const path = join(folder, name)
      execFileSync('mkfifo', [path])
      // For both ways, so that it opens at once and never comes to an end.
      const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
      return new Socket({ fd, readable: name === 'hears', writable: name === 'says' })
    })
    return new PlayedChild(folder, ...(ends as [Socket, Socket]))
  }

  /**
   * Calls a tool as the CLI does: says so, lets the hooks see it, asks, and has its result. Returns how long the question took,
   * from being asked until it was answered, in milliseconds.
   */
  async ask(): Promise<number> {
    const id = `toolu_${this.#asked++}`
    const input = {
      command: `npm test -- ${id} && git status --short`,
      description: 'Runs a part of the tests',
    }
    const call = { tool_name: 'Bash', tool_use_id: id }
    this.#message('assistant', { type: 'tool_use', id, name: 'Bash', input })
    await this.#runHook('PreToolUse', { ...call, tool_input: input })
    const start = performance.now()
    await this.#request(`question-${id}`, { subtype: 'can_use_tool', ...call, input })
    const took = performance.now() - start
    await this.#runHook('PostToolUse', { ...call, tool_input: input, tool_response: 'ok' })
    this.#message('user', { type: 'tool_result', tool_use_id: id, content: 'ok', is_error: false })
    return took
  }

  /** Prints each text as a message of the model, all at once. */
  print(texts: readonly string[]): void {
    for (const text of texts) this.#message('assistant', { type: 'text', text })
  }

  /** Resolves when it has the next prompt. */
  async prompted(): Promise<void> {
    while (this.#prompts === 0) await new Promise<void>((resolve) => (this.#onPrompt = resolve))
    this.#prompts--
  }

  /** The end of the turn. */
  finish(): void {
    this.#say({ type: 'result', subtype: 'success', is_error: false, result: 'done', num_turns: 1 })
  }

  close(): void {
    this.#says.destroy()
    this.#hears.destroy()
  }

  async #runHook(
    name: string,
    about: { readonly tool_use_id: string; readonly [field: string]: unknown },
  ): Promise<void> {
    for (const callback_id of this.#hooks[name]?.flatMap(({ hookCallbackIds }) => hookCallbackIds) ?? []) {
      const place = { hook_event_name: name, cwd: this.folder, permission_mode: 'default' }
      const { tool_use_id } = about
      const request = { subtype: 'hook_callback', callback_id, input: { ...place, ...about }, tool_use_id }
      await this.#request(`${name}-${tool_use_id}`, request)
    }
  }

  #message(role: 'assistant' | 'user', block: object): void {
    this.#say({
      type: role,
      message: { role, content: [block] },
      parent_tool_use_id: null,
      uuid: randomUUID(),
    })
  }

  /** Resolves with its answer. */
  #request(request_id: string, request: object): Promise<void> {
    this.#say({ type: 'control_request', request_id, request })
    return new Promise((resolve) => this.#waiting.set(request_id, resolve))
  }

  #say(line: object): void {
    this.#says.write(`${JSON.stringify(line)}\n`)
  }

  #hear(line: Heard): void {
    const { type, request_id, request, response } = line
    if (type === 'user') {
      this.#say({ ...line, isReplay: true })
      this.#prompts++
      this.#onPrompt()
    }
    if (type === 'control_request') {
      if (request?.subtype === 'initialize') this.#hooks = request.hooks ?? {}
      this.#say({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
    }
    const answered = response?.request_id ?? ''
    this.#waiting.get(answered)?.()
    this.#waiting.delete(answered)
  }
}
