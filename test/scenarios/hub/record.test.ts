/** The record of a real hub with the real CLI: written, signed, anchored, traced, verified without the hub, and attacked. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { serveLocally } from '../../rig/tools/local-server.ts'

const touch = (name: string) => tools(use('Bash', { command: `touch ${name}` }))

interface Row {
  readonly number: number
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

test('I21 S62: what a session asked, and what became of it, verifies up to the anchor, and a change to it is found', async () => {
  const place = await hubPlace({ scenario: { main: [touch('one'), touch('two'), say('done')] } })
  const traced: string[] = []
  const collector = await serveLocally((request, response) => {
    request.on('data', (part: Buffer) => traced.push(part.toString()))
    request.on('end', () => response.end('{}'))
  })
  const anchors = join(place.folder, 'anchors')
  const settings = { anchor_file: anchors, otlp_endpoint: `http://127.0.0.1:${collector}` }
  await mkdir(place.home, { mode: 0o700 })
  await writeFile(join(place.home, 'config.json'), JSON.stringify(settings))
  const hub = await place.start()
  const plexus = plexusAt(place)
  await plexus('start', '--name', 'web', '--detach', 'go')
  const { id: sessionId } = await hub.call<{ id: string }>('getSession', { sessionId: 'web' })
  place.sessions.add(sessionId)
  for (const [question, answer] of [
    ['web.1', 'allow'],
    ['web.2', 'deny'],
  ] as const) {
    await hub.call('waitFor', { sessionIds: ['web'], seconds: 50 })
    expect(await plexus(answer, question)).toMatchObject({ exitCode: 0 })
  }
  await hub.call('waitFor', { sessionIds: ['web'], seconds: 50 })
  const rows = (await hub.call<Row[]>('listRecord', { sessionId, limit: 100 })).toReversed()
  const [first] = rows.filter(({ kind }) => kind === 'asked').map(({ body }) => body['approvalId'])
  const about = rows.filter(({ body }) => body['approvalId'] === first)
  const kinds = about.map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind !== 'delivered')).toEqual(['asked', 'settled', 'ran'])
  expect(about[0]?.body).toMatchObject({
    tool: 'Bash',
    input: { command: 'touch one' },
    cwd: place.project,
    mode: 'default',
    cliVersion: expect.stringMatching(/^2\./),
  })
  expect(rows.filter(({ kind }) => kind === 'settled')[1]?.body).toMatchObject({
    status: 'denied',
    via: 'command_line',
    caller: { kind: 'operator', proof: 'operator token' },
  })
  expect(await plexus('stop', 'web')).toMatchObject({ exitCode: 0 })
  expect(await plexus('rm', 'web')).toMatchObject({ exitCode: 0 })
  expect(await hub.kill('SIGTERM')).toBe(0)

  // Everything is signed and anchored by the stop, the removal of the session too, and no hub is needed to see it.
  const sound = await plexus('audit', 'verify', '--anchors', anchors, '--json')
  expect(sound).toMatchObject({ exitCode: 0, stderr: '' })
  const { report } = JSON.parse(sound.stdout) as { report: Record<string, number> }
  expect(report['anchored']).toBe(report['last'])
  expect(report['last']).toBeGreaterThan(rows.length)
  expect((await stat(join(place.home, 'record.key'))).mode & 0o777).toBe(0o600)
  expect(await readFile(anchors, 'utf8')).not.toContain('touch')
  const spans = traced.join('')
  for (const name of ['invoke_agent web', 'execute_tool Bash', 'plexus.approval', 'denied'])
    expect(spans).toContain(name)
  expect(spans).not.toContain('touch')

  // Somebody with the database makes a no into a yes.
  const database = openDatabase(join(place.home, 'plexus.db'))
  database.exec(`UPDATE record SET body = replace(body, '"denied"', '"allowed"') WHERE kind = 'settled'`)
  database.close()
  const changed = await plexus('audit', 'verify')
  expect(changed.exitCode).toBe(1)
  expect(changed.stdout).toMatch(/^BROKEN at row \d+: it was changed after it was written\./)
})
