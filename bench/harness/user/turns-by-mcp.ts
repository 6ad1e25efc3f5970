import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { installedCli } from '../../../scripts/installed-cli.mjs'
import { allowAndWait, type Status, WAIT_SECONDS } from './allow-next.ts'
import type { BareCli, BarePlace } from './bare-cli.ts'
import { inPairs, type Samples } from '../figure.ts'
import { withHubProcess } from './hub-process.ts'
import type { RpcProcess } from './rpc-process.ts'
import { type TurnScript, withTurnModel } from './turn-model.ts'

export interface TurnsByMcp {
  readonly pairs: number
  readonly script: TurnScript
  /** What the session is started with besides its folder. */
  readonly options?: object
  /** How often it asks in a turn. */
  readonly questions: number
  /** Whether each turn begins a new conversation: a long one slows the CLI down, and hides what is added. */
  readonly clears?: boolean
  readonly bare: (place: BarePlace) => BareCli
}

/**
 * Turns of the real CLI as a client of `plexus mcp` has them, with a hub in a process of its own, against the same turns of a bare
 * CLI in the same folder.
 */
export function compareTurns({
  pairs,
  script,
  options,
  questions,
  clears,
  bare,
}: TurnsByMcp): Promise<Samples> {
  const cli = installedCli(process.cwd())
  if (cli === undefined) throw new Error('No Claude Code CLI is installed among the development packages.')
  return withTurnModel(script, (modelUrl) =>
    withHubProcess(
      async (folder) => ({ ...offlineEnvironment('/usr/bin:/bin', folder, modelUrl), CLAUDE_CODE_PATH: cli }),
      async ({ env, project, client }) => {
        const mcp = await client()
        const reference = bare({ cli, env, project })
        try {
          const { sessionId } = await mcp.call<Status>('claude_start', {
            prompt: 'go',
            workingDirectory: project,
            ...options,
          })
          await answerAll(mcp, { sessionId, status: 'active' }, questions)
          await reference.turn()
          return await inPairs(
            pairs,
            async () => {
              if (clears) {
                await say(mcp, { sessionId, command: 'clear' }, 0)
              }
              const start = performance.now()
              await say(mcp, { sessionId, message: 'go' }, questions)
              return performance.now() - start
            },
            async () => {
              if (clears) await reference.clear()
              const start = performance.now()
              await reference.turn()
              return performance.now() - start
            },
          )
        } finally {
          await reference.end()
        }
      },
    ),
  )
}

async function say(mcp: RpcProcess, input: object, questions: number): Promise<void> {
  await answerAll(mcp, await mcp.call('claude_say', { ...input, waitSeconds: WAIT_SECONDS }), questions)
}

/** Until the turn is over. */
async function answerAll(mcp: RpcProcess, first: Status, questions: number): Promise<void> {
  let seen = first
  for (let answered = 0; ; seen = await allowAndWait(mcp, seen)) {
    if (seen.pendingQuestion) answered++
    if (seen.pendingQuestion || seen.status === 'active') continue
    if (seen.status !== 'done' || answered !== questions)
      throw new Error(`The turn is ${seen.status} after ${answered} questions.`)
    return
  }
}
