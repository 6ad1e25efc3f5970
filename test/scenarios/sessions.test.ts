import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { startSessions, stores } from '../rig/sessions.ts'

const touch = (name: string) => tools(use('Bash', { command: `echo x >> ${name}` }))
const slow = { blocks: [{ type: 'text' as const, text: 'word '.repeat(3_000), chunkMs: 20 }] }

describe.each(stores)('sessions on %s', (store) => {
  test('start, a question allowed, say in the warm process', async () => {
    const all = await startSessions({ store, scenario: { main: [touch('a'), say('one'), say('two')] } })
    const { id } = await all.start('go')
    await all.allow(id, await all.event(id, 'approval.opened'))
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 1 })
    const said = await all.supervisor.say(id, 'and now')
    expect(said).toMatchObject({ queued: false, process: 'warm' })
    expect(await all.settled(id)).toMatchObject({ status: 'done', turn: 2 })
    expect(await readFile(join(all.project, 'a'), 'utf8')).toBe('x\n')
    expect(await all.store.turns.list(id)).toMatchObject([
      { number: 1, firstSeq: 2, outcome: 'done' },
      { number: 2, outcome: 'done' },
    ])
    expect(await all.store.nodes.ofSession(id)).toMatchObject([{ title: 'go' }, { title: 'and now' }])
  })
})
