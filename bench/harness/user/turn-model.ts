import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface TurnScript {
  /** How often the tool is called in a turn. */
  readonly calls: number
  /** How late the model replies. */
  readonly delayMs: number
}

/** scripts/bench.mjs builds it. */
const PROGRAM = join(process.cwd(), '.cache/bench/harness/user/tool-turn-model.mjs')

/** A model whose turns go by this script, until the work is done. */
export async function withTurnModel<T>(
  { calls, delayMs }: TurnScript,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const model = fork(PROGRAM, [String(calls), String(delayMs)])
  try {
    const [url] = await once(model, 'message')
    return await work(String(url))
  } finally {
    const exit = once(model, 'exit')
    model.disconnect()
    await exit
  }
}
