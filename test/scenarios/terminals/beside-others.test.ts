import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { PROCEED, say } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questions, sessionsOf } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'R44: two terminals and a session of ours wait in one list, through a hub that is killed',
  { timeout: 90_000 },
  async () => {
    const { place, open } = await terminalPlace({
      main: (request) =>
        request.toolResults.length > 0 ? reply('all made') : run(`mkdir ${request.sessionId}`),
    })
    let hub = await place.start()
    const own = await hub.call<Session>('createSession', {
      options: { workingDirectory: place.project, name: 'own' },
      content: 'begin',
    })
    place.sessions.add(own.id)
    const terminals = [await open(), await open()]
    for (const terminal of terminals) await say(terminal, 'begin')
    const before = await questions(hub, 3)
    // The relay of our own child has no opinion: nothing is asked twice.
    expect(before.map(({ carrier }) => carrier).toSorted()).toEqual(['control', 'terminal', 'terminal'])
    for (const terminal of terminals) await terminal.sees(PROCEED)

    await hub.kill()
    hub = await place.start()
    const after = await questions(hub, 3)
    expect(new Set(after.map(({ id }) => id))).toEqual(new Set(before.map(({ id }) => id)))
    for (const { id, inputSha256 } of after)
      await eventually(() => hub.call('answer', { approvalId: id, approve: true, inputSha256 }))
    for (const terminal of terminals) await terminal.sees('all made')
    for (const { id } of await sessionsOf(hub)) expect(existsSync(join(place.project, id))).toBe(true)
  },
)
