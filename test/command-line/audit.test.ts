import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorLine } from '../../src/audit/checkpoint-note.ts'
import { CSV_HEADER } from '../../src/audit/csv-lines.ts'
import { CheckpointWriter } from '../../src/hub/record/checkpoint-writer.ts'
import { recordSigner } from '../../src/hub/record/record-key.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { commandHub } from '../rig/hubs/command-hub.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'

/** A hub with a session that asked twice, in hostile words; one question was allowed, one denied. */
async function askedHub() {
  const hub = await commandHub()
  const session = await hub.session('web')
  const first = await hub.ask(session, { command: 'echo \u001b[31mred\u202e > x' })
  const second = await hub.ask(session, { command: '=cmd()' })
  await hub.plexus('allow', first.id)
  await hub.plexus('deny', second.id, '-m', 'No')
  return { ...hub, session, first, second }
}

test('S62: the record is listed, shown, exported in each format, and the export verifies and shows an attack', async () => {
  const { plexus, folder, first, engine, operator } = await askedHub()
  const listed = await plexus('audit', 'ls', '--kind', 'settled')
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' })
  expect(listed.stdout).toMatch(/settled.*operator.*denied Bash/)
  const { rows } = JSON.parse((await plexus('audit', 'ls', '--json', '--session', 'web')).stdout) as {
    rows: { number: number; kind: string; time: string; body: { approvalId?: string } }[]
  }
  const asked = rows.find(({ kind, body }) => kind === 'asked' && body.approvalId === first.id)
  const shown = await plexus('audit', 'show', String(asked?.number))
  expect(shown.stdout).toContain(`Row ${asked?.number}: asked`)
  expect(shown.stdout).toMatch(/About the same question:\nRow \d+: settled/)
  for (const hidden of ['\u001b', '\u202e']) expect(shown.stdout + listed.stdout).not.toContain(hidden)
  const file = join(folder, 'record.jsonl')
  const exported = await plexus('audit', 'export')
  for (const hidden of ['\u001b', '\u202e']) expect(exported.stdout).not.toContain(hidden)
  await writeFile(file, exported.stdout)
  const sound = await plexus('audit', 'verify', file)
  expect(sound).toMatchObject({ exitCode: 0, stderr: '' })
  expect(sound.stdout).toContain('not signed yet')
  expect(sound.stdout).toContain('The record is not anchored')
  await writeFile(file, exported.stdout.replace('"status":"denied"', '"status":"allowed"'))
  const broken = await plexus('audit', 'verify', '--json', file)
  expect(broken.exitCode).toBe(1)
  const { report } = JSON.parse(broken.stdout) as { report: { broken: { number: number } } }
  const settled = await engine.listRecord(operator, { kind: 'settled' })
  expect(report.broken.number).toBe(settled[0]?.number)
  await appendFile(file, 'no line\n')
  expect((await plexus('audit', 'verify', file)).stdout).toContain('BROKEN at row')
  const csv = await plexus('audit', 'export', '--format', 'csv')
  expect(csv.stdout.split('\n')[0]).toBe(CSV_HEADER)
  expect(csv.stdout).not.toMatch(/(^|,)=cmd/m)
  const otlp = await plexus('audit', 'export', '--format', 'otlp')
  expect(otlp.stdout).toContain('"plexus.approval.decision","value":{"stringValue":"denied"}')
  // Every one of these was recorded.
  const { length: reads } = await engine.listRecord(operator, { kind: 'exported', limit: 500 })
  expect(reads).toBe(3)
})

test('S62: a database is verified without a hub, with its key, and with anchors that were kept elsewhere', async () => {
  const { plexus, folder } = await commandHub()
  const home = join(folder, 'home')
  const path = join(home, 'plexus.db')
  const anchors = join(folder, 'anchors')
  const signer = await recordSigner(home)
  const store = await openSqliteStore(path)
  const writer = new CheckpointWriter({
    record: store.record,
    signer,
    onNote: (note) => void appendFile(anchors, `${anchorLine(note)}\n`),
    onError: () => {},
    clock: new FakeClock(), // it signs when it is called, and not by itself
  })
  const add = (count: number) =>
    store.record.append(Array.from({ length: count }, () => ({ kind: 'read', at: 1, body: {} }) as const))
  await add(600)
  await writer.sign()
  await add(10)
  const live = await plexus('audit', 'verify', '--anchors', anchors)
  expect(live.stdout).toContain('Rows 1 to 600 are anchored.')
  expect(live.stdout).toContain('Rows 601 to 610 are chained, and not signed yet.')
  expect(live.exitCode).toBe(0)
  await writer.close()
  await store.close()
  const sound = await plexus('audit', 'verify')
  expect(sound.stdout).toContain('Rows 1 to 610 are signed, and not anchored.')
  // The key is replaced, and everything is signed anew.
  const elsewhere = join(folder, 'key')
  await writeFile(elsewhere, await readFile(join(home, 'record.pub'), 'utf8'))
  await writeFile(join(home, 'record.pub'), 'plexus-record-x+00000000+AAAA')
  const forged = await plexus('audit', 'verify')
  expect(forged.exitCode).not.toBe(0)
  expect((await plexus('audit', 'verify', '--public-key', elsewhere)).exitCode).toBe(0)
})

/** A record of ten rows in a home of its own, signed twice; where it lies, and what was handed to an anchor. */
async function signedHome(folder: string, name: string, body: Readonly<Record<string, unknown>>) {
  const home = join(folder, name)
  await mkdir(home, { mode: 0o700 })
  const anchors = join(folder, `${name}-anchors`)
  const path = join(home, 'plexus.db')
  const store = await openSqliteStore(path)
  const notes: string[] = []
  const writer = new CheckpointWriter({
    record: store.record,
    signer: await recordSigner(home),
    onNote: (note) => void notes.push(`${anchorLine(note)}\n`),
    onError: () => {},
    clock: new FakeClock(),
  })
  for (const _ of ['first', 'second']) {
    await store.record.append(Array.from({ length: 5 }, () => ({ kind: 'asked', at: 1, body }) as const))
    await writer.sign()
  }
  await writer.close()
  await store.close()
  await writeFile(anchors, notes.join(''))
  return { path, anchors, key: join(home, 'record.pub'), home }
}

test('S62: a record that was written and signed anew with another valid key is found by an anchor and by a copy of the key, and is never anchored without', async () => {
  const { plexus, folder } = await commandHub()
  const verify = (...args: string[]) => plexus('audit', 'verify', ...args)
  const ours = await signedHome(folder, 'ours', { input: 'what was asked' })
  const forged = await signedHome(folder, 'forged', { input: 'something else' })
  expect((await verify(ours.path, '--anchors', ours.anchors, '--public-key', ours.key)).stdout).toContain(
    'Rows 1 to 10 are anchored.',
  )
  // With nothing from outside it looks sound, so it must say that this proves nothing.
  const alone = await verify(forged.path)
  expect(alone).toMatchObject({ exitCode: 0 })
  expect(alone.stdout).toContain('Rows 1 to 10 are signed, and not anchored.')
  expect(alone.stdout).toContain('whoever has this account could have written all of it anew')
  const both = join(folder, 'both-anchors')
  await writeFile(both, (await readFile(ours.anchors, 'utf8')) + (await readFile(forged.anchors, 'utf8')))
  for (const args of [
    ['--anchors', ours.anchors],
    ['--public-key', ours.key],
    ['--anchors', ours.anchors, '--public-key', ours.key],
    ['--anchors', both],
    ['--anchors', both, '--public-key', ours.key],
  ])
    expect([args, await verify(forged.path, ...args)]).toMatchObject([
      args,
      { exitCode: 1, stdout: expect.stringMatching(/^BROKEN at row [15]: /) as string },
    ])
  // The same rows under another key, and another key beside rows that ours has signed.
  const resigned = await signedHome(folder, 'resigned', { input: 'what was asked' })
  expect((await verify(resigned.path, '--anchors', ours.anchors)).exitCode).toBe(1)
  expect((await verify(resigned.path)).stdout).toContain('The record is not anchored')
  expect((await verify(ours.path, '--public-key', forged.key)).stdout).toMatch(/^BROKEN at row 1: /)
  // Without any key signatures are not checked, and an anchor still has another hash for the row.
  await rm(forged.key)
  const keyless = await verify(forged.path, '--anchors', ours.anchors)
  expect(keyless).toMatchObject({ exitCode: 1 })
  expect(keyless.stdout).toContain('an anchor has another hash for it')
})

test.each([
  [['audit', 'look']],
  [['audit', 'show', 'x']],
  [['audit', 'show', '0']],
  [['audit', 'ls', '--limit', '0']],
  [['audit', 'ls', '--kind', 'none']],
  [['audit', 'export', '--format', 'xml']],
  [['audit', 'verify', '/no/such/file']],
  [['audit', 'verify', '--anchors', '/dev/null']],
])('%j is refused with one sentence', async (args) => {
  const { plexus } = await commandHub()
  const { exitCode, stderr } = await plexus(...args)
  expect(exitCode).toBeGreaterThan(1)
  expect(stderr).toMatch(/^plexus: [^\n]+\.\n$/)
})
