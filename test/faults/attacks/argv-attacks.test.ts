import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { type Birth, childArgs } from '../../../src/child/launch/child-args.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { startSessions } from '../../rig/hubs/sessions.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const SKIP = '--dangerously-skip-permissions'

/** Settings as a flag: whoever gets this into a command line runs code of his own before anything is asked. */
const hooks = (marker: string) =>
  `--settings=${JSON.stringify({
    hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${marker}` }] }] },
  })}`

/** One tool that must be asked for, in an environment where skipping permissions would work, for root too. */
const scenario = { main: [tools(use('Bash', { command: 'touch ran.txt' })), say('done')] }
const env = { IS_SANDBOX: '1' }

const firstRequest = (session: Supervised) => session.model.requests.find(({ kind }) => kind === 'main')

async function expectStillSupervised(session: Supervised): Promise<void> {
  expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done', result: 'done' })
  expect(session.all('approval.opened')).toMatchObject([{ input: { command: 'touch ran.txt' } }])
  expect(session.all('turn.started')[0]).toMatchObject({ permissionMode: 'default' })
  expect(await readdir(session.project)).toEqual([])
}

const flags = [hooks('hooked.txt'), SKIP]

test('S7: a prompt that is a flag is nothing but text', async () => {
  await Promise.all(
    flags.map(async (prompt) => {
      const session = await supervise({ scenario, prompt, answer: 'deny', options: { env } })
      await expectStillSupervised(session)
      expect(firstRequest(session)?.lastUserText).toContain(prompt)
    }),
  )
})

test('S7: a system prompt that is a flag is nothing but text', async () => {
  await Promise.all(
    flags.map(async (systemPrompt) => {
      const session = await supervise({ scenario, answer: 'deny', options: { systemPrompt, env } })
      await expectStillSupervised(session)
      const inJson = JSON.stringify(systemPrompt).slice(1, -1)
      expect(JSON.stringify(firstRequest(session)?.body.system)).toContain(inJson)
    }),
  )
})

test.each(['allowedTools', 'disallowedTools', 'tools', 'addDirs'])(
  'S7: a flag among %s is refused before anything starts',
  async (field) => {
    const attack = supervise({ scenario, options: { [field]: ['Read', SKIP], env } })
    await expect(attack).rejects.toThrow(`${field} may not begin with \\"-\\"`)
  },
)

const sessionId = crypto.randomUUID()
test.each<object>([
  { kind: 'resume', sessionId: '--x' },
  { kind: 'resume', sessionId, transcript: '--x.jsonl' },
  { kind: 'new', sessionId: SKIP },
  { kind: 'fork', from: '--x', sessionId },
  { kind: 'fork', from: sessionId, sessionId, at: '--x' },
])('S7: an id that is a flag is refused before anything starts: %j', (ids) => {
  const birth = { ...ids, settings: {}, trusted: false } as Birth
  const refusal = expect.objectContaining({ code: 'invalid_input' })
  expect(() => childArgs(StartOptions.parse({}), birth)).toThrow(refusal)
})

test.runIf(process.platform === 'linux')(
  'S38: a system prompt and agents are on no command line, and the model has them, also after a resume',
  async () => {
    const agents = { scout: { description: 'SCOUT-MARK', prompt: 'look' } }
    const main = [tools(use('Bash', { command: 'touch x' })), say('one'), say('two')]
    const all = await startSessions({ store: 'memory', carrier: 'control', scenario: { main } })
    const { id } = await all.start('go', { systemPrompt: 'SYSTEM-MARK', agents })
    const asked = await all.event(id, 'approval.opened')
    const lines = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        } catch {
          return ''
        }
      })
    expect(lines.filter((line) => line.includes(id))).not.toEqual([])
    expect(lines.filter((line) => /SYSTEM-MARK|SCOUT-MARK/.test(line))).toEqual([])
    await all.allow(id, asked)
    await all.settled(id)
    await (await all.supervisor.wake(id)).stop()
    await all.supervisor.say(id, 'more')
    await all.settled(id)
    const requests = all.model.requests.filter(({ kind }) => kind === 'main')
    for (const request of [requests[0], requests.at(-1)]) {
      expect(JSON.stringify(request?.body.system)).toContain('SYSTEM-MARK')
      expect(JSON.stringify(request?.body)).toContain('SCOUT-MARK')
    }
  },
)
