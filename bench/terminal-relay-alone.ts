import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RELAY_SCRIPT } from '../src/setup/terminals/relay-script.ts'
import { type Figure, inPairs } from './harness/figure.ts'

const QUESTION = JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'mkdir made' } })

export const figure: Figure = {
  id: 'relay alone',
  title: 'the relay of a terminal from its start to its end, no hub',
  reference: '`sh -c :`',
  unit: 'ms',
  goal: { max: 2 },
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plexus-bench-'))
    const relay = join(folder, 'relay.sh')
    await writeFile(relay, RELAY_SCRIPT)
    try {
      return await inPairs(
        200,
        () => shell(relay, join(folder, 'hub.sock'), '/usr/bin/curl'),
        () => shell('-c', ':'),
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

/** As Claude Code starts it: with the question on stdin. */
async function shell(...args: readonly string[]): Promise<void> {
  const started = spawn('/bin/sh', args, { stdio: ['pipe', 'pipe', 'pipe'] })
  started.stdin.on('error', () => {}).end(QUESTION)
  const [code] = await once(started, 'close')
  if (code !== 0) throw new Error(`sh ended with ${String(code)}.`)
}
