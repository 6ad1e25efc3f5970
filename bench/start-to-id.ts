import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findHub } from '../test/rig/hubs/find-hub.ts'
import { createRemoteEngine } from '../src/hub-client/remote-engine.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { PROGRAM, RESPONDER, RpcProcess } from './harness/user/rpc-process.ts'
import { operator } from './harness/talking-hub.ts'

/** A child that hears whatever it is told and says nothing: what the CLI takes for itself is not ours. */
const SILENT = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.197 (Claude Code)' && exit
exec cat >/dev/null
`

export const figure: Figure = {
  id: 'P5',
  title: '`claude_start` over stdio until the session id is told, hub running',
  reference: 'a bare JSON-RPC call that starts /bin/true',
  unit: 'ms',
  goal: { max: 3 },
  run: () =>
    inFolder(async (path) => {
      const folder = await realpath(path)
      const [home, project, cli, responder] = ['home', 'project', 'cli', 'responder.mjs'].map((name) =>
        join(folder, name),
      ) as [string, string, string, string]
      await mkdir(project)
      await writeFile(responder, RESPONDER)
      await writeFile(cli, SILENT)
      await chmod(cli, 0o700)
      const env = { PATH: '/usr/bin:/bin', HOME: folder, CLAUDE_CODE_PATH: cli, PLEXUS_HOME: home }
      const hub = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--json'], { env })
      await once(hub.stdout, 'data')
      const [ours, bare] = [new RpcProcess([PROGRAM, 'mcp'], env), new RpcProcess([responder], env)]
      const engine = createRemoteEngine({ find: () => findHub(home) })
      try {
        for (const one of [ours, bare]) await one.open()
        return await inPairs(
          150,
          async () => {
            const start = performance.now()
            const { structuredContent } = await ours.request<Started>('tools/call', {
              name: 'claude_start',
              arguments: { prompt: 'go', workingDirectory: project },
            })
            const took = performance.now() - start
            const { sessionId } = structuredContent
            await engine.stopSession(operator, { sessionId })
            return took
          },
          async () => {
            await setTimeout(PAUSE_MS)
            const start = performance.now()
            await bare.request('start')
            return performance.now() - start
          },
        )
      } finally {
        engine.close()
        for (const one of [ours, bare]) await one.end()
        hub.kill()
        await once(hub, 'exit')
      }
    }),
}

interface Started {
  readonly structuredContent: { readonly sessionId: string }
}

/** A call comes alone. */
const PAUSE_MS = 20
