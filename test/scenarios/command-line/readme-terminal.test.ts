/** The commands of the README for a person at a terminal, as a reader pastes them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Reply, say, tools, use } from '../../../src/demo/scenario.ts'
import type { ModelRequest } from '../../../src/demo/model-request.ts'
import { endAll } from '../../../src/system/process-tree.ts'
import { hubHolder } from '../../../src/hub/hub-lock.ts'
import { commandsBelow, runCommands } from '../../rig/tools/readme.ts'

function obey({ lastUserText, toolResults }: ModelRequest): Reply {
  const [, command] = /Run: (.*)/.exec(lastUserText) ?? []
  return command === undefined || toolResults.length > 0 ? say('written') : tools(use('Bash', { command }))
}

test('a session is started, shown, answered, listed, stopped and removed, without a UUID', async () => {
  const ran = await runCommands(await commandsBelow('At your terminal'), { main: obey })
  const holder = await hubHolder(join(ran.home, '.local/state/plexus'))
  if (holder) await endAll(() => [holder])
  expect([ran.code, ran.errors]).toEqual([
    0,
    expect.stringMatching(
      /^\$0\.\d\d today\nThe process of web has ended; .*\nweb is removed from Plexus\. .*\n$/,
    ),
  ])
  expect(await readFile(join(ran.folder, 'greeting.txt'), 'utf8')).toBe('hello\n')
  expect(ran.out).toContain('web.1  web wants to run: echo hello > greeting.txt\n')
  expect(ran.out).toContain('web.1 allowed: wants to run: echo hello > greeting.txt\n')
  expect(ran.out).toMatch(/^NAME +STATE +WAITS +MODE +COST +FOLDER\nweb +idle +- +default/m)
})
