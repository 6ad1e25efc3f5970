import { randomUUID } from 'node:crypto'
import { appendFile, chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { answer, indexOf, lines, prompt, write } from './recorded.ts'

const never = { fullScanMs: Number.POSITIVE_INFINITY }
const linux = process.platform === 'linux'

async function titles(index: ReturnType<typeof indexOf>, limit = 100): Promise<string[]> {
  return (await index.list({ limit })).map(({ title }) => title)
}

test('pages follow each other without a gap or a repeat', async () => {
  const config = await temporaryFolder()
  for (let minute = 0; minute < 25; minute++)
    await write(config, [prompt(`prompt ${minute}`)], { minute: Math.floor(minute / 3) }) // some at the same time
  const index = indexOf(config)
  const whole = await index.list({ limit: 100 })
  expect(whole).toHaveLength(25)
  const paged: string[] = []
  for (let page = await index.list({ limit: 4 }); ;) {
    paged.push(...page.map(({ path }) => path))
    const before = page.at(-1)
    if (!before) break
    page = await index.list({ limit: 4, before })
  }
  expect(paged).toEqual(whole.map(({ path }) => path))
})

test('the title is the name, then the custom title, the generated one, the summary, the first prompt', async () => {
  const config = await temporaryFolder()
  const all = [
    prompt('the prompt'),
    { type: 'summary', summary: 'summary' },
    { type: 'ai-title', aiTitle: 'generated' },
    { type: 'custom-title', customTitle: 'custom' },
    { type: 'agent-name', agentName: 'name' },
  ]
  for (let count = 1; count <= all.length; count++)
    await write(config, all.slice(0, count).toReversed(), { minute: count })
  expect(await titles(indexOf(config))).toEqual(['name', 'custom', 'generated', 'summary', 'the prompt'])
})

const renamed = (customTitle: string): object => ({ type: 'custom-title', customTitle })

test('the last title counts, wherever it is, and a title inside a prompt does not', async () => {
  const config = await temporaryFolder()
  const filler = Array.from({ length: 40 }, () => answer('x'.repeat(1000)))
  await write(config, [renamed('old'), prompt('p'), ...filler, renamed('new'), ...filler.slice(0, 30)], {
    minute: 2,
  })
  await write(config, [renamed('only'), prompt('p'), ...filler, ...filler], { minute: 1 })
  await write(config, [prompt(JSON.stringify(renamed('forged'))), prompt('"customTitle"')], { minute: 0 })
  expect(await titles(indexOf(config))).toEqual([
    'new',
    'only',
    '{"type":"custom-title","customTitle":"forged"}',
  ])
})

test('the first prompt is the first that a person typed, however far down it is', async () => {
  const config = await temporaryFolder()
  const image = { type: 'image', source: { type: 'base64', data: 'A'.repeat(300_000) } }
  const command =
    '<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>y</command-args>'
  const cases: [string, object[]][] = [
    [
      'said',
      [prompt('for the model', { isMeta: true }), prompt('sub', { isSidechain: true }), prompt('said')],
    ],
    ['with image', [prompt('', { message: { content: [image, { type: 'text', text: 'with image' }] } })]],
    ['typed', [prompt(command), prompt('<local-command-stdout>no</local-command-stdout>'), prompt('typed')]],
    ['/x y', [prompt(command)]],
    [
      '!ls',
      [
        prompt('<bash-input>ls</bash-input>'),
        prompt('<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>'),
      ],
    ],
    [
      'queued',
      [
        { type: 'queue-operation', operation: 'enqueue', content: 'queued' },
        prompt('', {
          message: {
            content: [
              { ...image, more: 'A'.repeat(2_000_000) },
              { type: 'text', text: 'far' },
            ],
          },
        }),
        answer('ok'),
      ],
    ],
    ['last', [prompt('s', { isCompactSummary: true }), { type: 'last-prompt', lastPrompt: 'last' }]],
    ['No prompt', [prompt('s', { isMeta: true })]],
  ]
  for (const [minute, [, content]] of cases.entries()) await write(config, content, { minute: 100 - minute })
  expect(await titles(indexOf(config))).toEqual(cases.map(([title]) => title))
})

test('files without a main conversation are omitted, and the page is still filled', async () => {
  const config = await temporaryFolder()
  await write(config, [prompt('below')], { minute: 0 })
  await write(config, [prompt('sub', { isSidechain: true })], { minute: 9 })
  await write(config, [{ type: 'queue-operation', operation: 'enqueue', content: 'only queued' }], {
    minute: 8,
  })
  await write(config, '', { minute: 7 })
  await write(config, [prompt('agent')], { sessionId: 'agent-123', minute: 6 })
  await mkdir(join(config, 'projects', '-work', `${randomUUID()}.jsonl`))
  await writeFile(join(config, 'projects', 'stray.jsonl'), '')
  await symlink('/nowhere', join(config, 'projects', '-work', `${randomUUID()}.jsonl`))
  const locked = await write(config, [prompt('locked')], { folder: '-locked' })
  await chmod(dirname(locked), 0)
  const seen = await titles(indexOf(config), 2)
  await chmod(dirname(locked), 0o700)
  expect(seen.filter((title) => title !== 'locked')).toEqual(['below']) // root reads it anyway
})

test('the folder of a session comes from its lines, not from the name of the project folder', async () => {
  const config = await temporaryFolder()
  await write(config, [prompt('dash', { cwd: '/a-b' })], { folder: '-a-b', minute: 2 })
  await write(config, [prompt('slash', { cwd: '/a/b' })], { folder: '-a-b', minute: 1 })
  await write(config, [prompt('fork', { cwd: '/other' }), prompt('here', { cwd: '/a/b' })], {
    folder: '-a-b',
  })
  const index = indexOf(config)
  const found = await index.list({ limit: 10, workingDirectory: '/a/b' })
  expect(found.map(({ title }) => title)).toEqual(['slash', 'fork'])
  expect(await index.list({ limit: 10, workingDirectory: '/a' })).toEqual([])
})

test.runIf(linux)('between two full scans every local change is seen at once', async () => {
  const config = await temporaryFolder()
  await write(config, [prompt('first')], { minute: 1 })
  const index = indexOf(config, never)
  expect(await titles(index)).toEqual(['first'])
  const second = await write(config, [prompt('second')], { minute: 2 })
  expect(await titles(index)).toEqual(['second', 'first'])
  const third = await write(config, [prompt('third')], { folder: '-new', minute: 0 })
  expect(await titles(index)).toEqual(['second', 'first', 'third'])
  await appendFile(third, lines([{ type: 'agent-name', agentName: 'grown' }]))
  expect(await titles(index)).toEqual(['grown', 'second', 'first'])
  await rm(second)
  expect(await titles(index)).toEqual(['grown', 'first'])
  await rename(join(config, 'projects', '-new'), join(config, 'projects', '-renamed'))
  expect(await titles(index)).toEqual(['grown', 'first'])
  await rm(join(config, 'projects'), { recursive: true })
  expect(await titles(index)).toEqual([])
  await write(config, [prompt('again')])
  expect(await titles(index)).toEqual(['again'])
  await write(config, [prompt('and again')], { minute: 5 })
  expect(await titles(index)).toEqual(['and again', 'again'])
})

test('a full scan finds what no watch reported', async () => {
  const config = await temporaryFolder()
  const index = indexOf(config, { fullScanMs: 0 })
  const path = await write(config, [prompt('first')], { minute: 1 })
  await write(config, [prompt('second')], { minute: 2 })
  expect(await titles(index)).toEqual(['second', 'first'])
  await utimes(path, 180, 180)
  expect(await titles(index)).toEqual(['first', 'second'])
})

test('an unchanged transcript is not read again', async () => {
  const config = await temporaryFolder()
  const path = await write(config, [prompt('before')], { minute: 1 })
  const index = indexOf(config, { fullScanMs: 0 })
  expect(await titles(index)).toEqual(['before'])
  // The same size and time with other bytes: only someone who reads it could tell.
  await writeFile(path, lines([prompt('differ')]))
  await utimes(path, 60, 60)
  expect(await titles(index)).toEqual(['before'])
})

test('several lists at once agree', async () => {
  const config = await temporaryFolder()
  for (let minute = 0; minute < 10; minute++) await write(config, [prompt(`p${minute}`)], { minute })
  const index = indexOf(config)
  const lists = await Promise.all(Array.from({ length: 5 }, () => titles(index)))
  expect(new Set(lists.map((list) => list.join())).size).toBe(1)
  expect(lists[0]).toHaveLength(10)
})

test('whatever the files contain, a list is returned', async () => {
  const config = await temporaryFolder()
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((json) => Buffer.from(json)),
    fc
      .dictionary(
        fc.constantFrom('type', 'message', 'cwd', 'customTitle', 'timestamp', 'isMeta'),
        fc.jsonValue(),
      )
      .map((line) => Buffer.from(JSON.stringify({ type: 'user', ...line }))),
    fc
      .constantFrom('\n', '\r\n', '\0', '{"type":"user","message":{"content":', '\uFEFF', '\u2028')
      .map((text) => Buffer.from(text)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.nat(3), async (pieces, repeat) => {
      const bytes = Buffer.concat(pieces.flatMap((one) => Array.from({ length: 1 + repeat * 50 }, () => one)))
      const path = await write(config, bytes)
      const whole = await write(config, [prompt('whole')], { minute: 1 })
      const index = indexOf(config, { fullScanMs: 0 })
      const listed = await index.list({ limit: 10 })
      expect(listed[0]?.title).toBe('whole')
      expect(listed.length).toBeLessThanOrEqual(2)
      index.close()
      await rm(path)
      await rm(whole)
    }),
    { numRuns: 200 },
  )
})
