import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, inPairs, type Measure } from './harness/figure.ts'
import { withHubProcess } from './harness/user/hub-process.ts'
import { programArgs, RESPONDER, RpcProcess } from './harness/user/rpc-process.ts'

export const figure: Figure = {
  id: 'P15',
  title: '`plexus mcp` from its start to the result of its first claude_list, hub running',
  reference: 'a JSON-RPC responder of 20 lines, to the result of its first call',
  unit: 'ms',
  goal: { max: 2.5 },
  run: () =>
    withHubProcess(
      async (folder) => ({ PATH: '/usr/bin:/bin', HOME: folder }),
      async ({ env, project }) => {
        const responder = join(project, 'responder.mjs')
        await writeFile(responder, RESPONDER)
        const firstCall =
          (...args: readonly string[]): Measure =>
          async () => {
            const start = performance.now()
            const started = new RpcProcess(args, env)
            await started.open()
            await started.call('claude_list')
            const took = performance.now() - start
            await started.end()
            return took
          }
        return inPairs(40, firstCall(...programArgs('mcp')), firstCall(responder))
      },
    ),
}
