/** Rules hold for what a terminal asks, and the record says what became of each question. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { chooseThere, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { settled, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const RULES = {
  v: 1,
  rules: [
    { id: 'folders', effect: 'allow', command: 'mkdir by-rule' },
    { id: 'copies', effect: 'deny', command: 'cp *', because: 'No copies.' },
  ],
}

interface Row {
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

test.runIf(hasTerminal)(
  'S71: what a rule allows or denies, and what is answered in the terminal, is on record and explained',
  { timeout: 90_000 },
  async () => {
    const main = [run('mkdir by-rule'), run('cp a b'), run('mkdir by-key'), reply('all done')]
    const { place, open } = await terminalPlace({ main })
    await writeFile(join(place.home, 'rules.json'), JSON.stringify(RULES), { mode: 0o600 })
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open()
    await say(terminal, 'begin')
    const byKey = await theQuestion(hub)
    expect(byKey.input).toMatchObject({ command: 'mkdir by-key' })
    await seesDialog(terminal, 'mkdir by-key')
    await chooseThere(terminal, 'Yes')
    expect(await settled(hub, byKey)).toMatchObject({ end: 'answered in the terminal' })
    await terminal.sees('all done')
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('No copies.')

    const decided = await eventually(async () => {
      const all = await hub.call<PendingQuestion[]>('decisions')
      expect(all).toHaveLength(3)
      return all.toReversed()
    })
    const settledRows = (await hub.call<Row[]>('listRecord', { sessionId: byKey.sessionId, limit: 100 }))
      .toReversed()
      .filter(({ kind }) => kind === 'settled')
    expect(settledRows.map(({ body }) => body['approvalId'])).toEqual(decided.map(({ id }) => id))
    expect(settledRows.map(({ body }) => body)).toMatchObject([
      { status: 'allowed', via: 'rule', verdict: { ruleId: 'folders', effect: 'allow' } },
      { status: 'denied', via: 'rule', verdict: { ruleId: 'copies', effect: 'deny' } },
      { status: 'withdrawn', end: 'answered in the terminal' },
    ])
    const explained = async (id: string) => {
      const { stdout, stderr } = await plexus('rules', 'explain', id)
      return stdout + stderr
    }
    const [allowed, denied] = decided.map(({ id }) => id)
    expect(await explained(allowed ?? '')).toContain('allow by the rule folders')
    expect(await explained(denied ?? '')).toContain('deny by the rule copies')
    expect(await explained(byKey.id)).toBe('No rule decided it; it is answered in the terminal.\n')
    expect(await hub.kill('SIGTERM')).toBe(0)
    expect(await plexus('audit', 'verify')).toMatchObject({ exitCode: 0 })
  },
)
