import { runCommand } from './run-command.ts'

/** How long a receiver may take. */
const LIMIT_MS = 10_000

export interface ReceiverOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The variables that its command gets: no token and no setting of ours. */
  readonly passes: readonly string[]
}

/** Posts a text to a URL, or gives it to a command of the shell on stdin. Returns why it failed; undefined if it succeeded. */
export function sendToReceiver(
  receiver: string,
  text: string,
  options: ReceiverOptions,
): Promise<string | undefined> {
  if (/^https?:\/\//i.test(receiver)) return post(receiver, text)
  return runForReceiver('/bin/sh', ['-c', receiver], options, text)
}

export async function runForReceiver(
  file: string,
  args: readonly string[],
  { env, passes }: ReceiverOptions,
  input?: string,
): Promise<string | undefined> {
  const passed = Object.fromEntries(
    passes.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
  const options = { env: passed, timeoutMs: LIMIT_MS, ...(input === undefined ? {} : { input }) }
  const result = await runCommand(file, args, options)
  if (result.outcome !== 'exited') return result.outcome
  return result.code === 0 ? undefined : `exit code ${result.code}`
}

async function post(url: string, body: string): Promise<string | undefined> {
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    return ok ? undefined : `status ${status}`
  } catch {
    return 'it could not be reached'
  }
}
