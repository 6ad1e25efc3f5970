import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inPairs, type Measure, type Samples } from '../figure.ts'
import { inFolder } from '../filled-store.ts'
import { PROGRAM, RESPONDER, RpcProcess } from './rpc-process.ts'

/** From the start of the process to the answer of `initialize`, or to that of `tools/list` after it. */
export function mcpStart(to: 'initialize' | 'tools/list'): Promise<Samples> {
  return inFolder(async (folder) => {
    const responder = join(folder, 'responder.mjs')
    await writeFile(responder, RESPONDER)
    const env = { PATH: '/usr/bin:/bin', HOME: folder }
    const measure =
      (...args: string[]): Measure =>
      async () => {
        const start = performance.now()
        const started = new RpcProcess(args, env)
        await started.open()
        if (to === 'tools/list') await started.request('tools/list')
        const took = performance.now() - start
        await started.end()
        return took
      }
    return inPairs(40, measure(PROGRAM, 'mcp', '--standalone'), measure(responder))
  })
}
