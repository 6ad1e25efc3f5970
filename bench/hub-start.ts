import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { startHub } from './harness/user/hub-process.ts'

const LISTENER = `import { createServer } from 'node:net'
createServer().listen(0, '127.0.0.1', () => console.log('ready'))
`

export const figure: Figure = {
  id: 'P14',
  title: '`plexus serve` from its start until its hub is ready, empty home',
  reference: 'a bare node that opens a listening socket',
  unit: 'ms',
  goal: { max: 2 },
  run: () =>
    inFolder(async (path) => {
      const folder = await realpath(path)
      const [home, listener] = [join(folder, 'home'), join(folder, 'listener.mjs')]
      await writeFile(listener, LISTENER)
      const env = { PATH: '/usr/bin:/bin', HOME: folder, PLEXUS_HOME: home, LOG_LEVEL: 'error' }
      return inPairs(
        40,
        async () => {
          const start = performance.now()
          const hub = await startHub(env)
          const took = performance.now() - start
          await hub.end()
          await rm(home, { recursive: true })
          return took
        },
        () => bareStart(listener, env),
      )
    }),
}

async function bareStart(program: string, env: Record<string, string>): Promise<number> {
  const start = performance.now()
  const bare = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(bare.stdout, 'data')
  const took = performance.now() - start
  const exit = once(bare, 'exit')
  bare.kill()
  await exit
  return took
}
