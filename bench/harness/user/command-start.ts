import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { HubRpc } from './hub-rpc.ts'
import { withHubProcess } from './hub-process.ts'
import { playedEnvironment, startPlayed } from './played-session.ts'
import { programArgs } from './rpc-process.ts'

type Env = Record<string, string>

/** Runs a command of the built program to its end. */
export function commandOf(env: Env, command: string, ...args: readonly string[]): Promise<void> {
  return ended(programArgs(command, ...args), env)
}

export function bareNode(env: Env): Promise<void> {
  return ended(['-e', '0'], env)
}

async function ended(args: readonly string[], env: Env): Promise<void> {
  const started = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(started, 'exit')
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${String(code)}.`)
}

export interface CommandHub {
  readonly env: Env
  /** Has the session ask, and returns the id of the question. */
  readonly nextQuestion: () => Promise<string>
}

/** A hub with one session. */
export function withCommandHub<T>(work: (hub: CommandHub) => Promise<T>): Promise<T> {
  return withHubProcess(playedEnvironment, async ({ hub, env, project }) => {
    const rpc = new HubRpc(hub)
    const { sessionId, child } = await startPlayed(rpc, project)
    const nextQuestion = async () => {
      void child.ask()
      await rpc.call('waitFor', { sessionIds: [sessionId], seconds: 50 })
      const [question] = await rpc.call<{ id: string }[]>('pending', { sessionId })
      return question?.id ?? ''
    }
    try {
      return await work({ env, nextQuestion })
    } finally {
      child.close()
      rpc.close()
    }
  })
}
