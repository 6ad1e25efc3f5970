import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ChildMessage, lineOf } from '../../../src/child/lines/message-line.ts'
import type { Child } from '../../../src/child/process/child-process.ts'
import { lastWill } from '../../../src/child/lines/stdin-messages.ts'
import { endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import { adoptChild, startChild } from '../../../src/child/process/start-child.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

/** A child that repeats what it hears; with `until` it hears nothing before that file is there. */
async function startEcho(until?: string): Promise<Child> {
  const folder = await temporaryFolder()
  const sessionId = randomUUID()
  const wait = until === undefined ? '' : `until [ -e ${until} ]; do sleep 0.05; done; `
  const child = await startChild({
    sessionId,
    runPath: join(folder, 'run'),
    cli: '/bin/sh',
    args: ['-c', `${wait}exec cat`],
    env: { PATH: '/usr/bin:/bin', LOOPBACK_SESSION_ID: sessionId },
    workingDirectory: folder,
    leaseSeconds: 600,
    messages: [],
  })
  onTestFinished(async () => {
    child.close()
    await endAll(() => processesOfSession(sessionId))
  })
  return child
}

const heard = (child: Child) => readFile(child.run.stdout, 'utf8')
/** What it has heard, once that is as much as these are. */
const heardAfter = (child: Child, messages: readonly ChildMessage[]) =>
  eventually(async () => {
    const all = await heard(child)
    expect(all.length).toBeGreaterThanOrEqual(textOf(messages).length)
    return all
  })
const textOf = (messages: readonly ChildMessage[]) => messages.map(lineOf).join('')
/** What went by the folder and was not removed yet. */
const laid = (child: Child) => readdir(child.run.todo)
const untold = async (child: Child) => {
  const sizes = (await laid(child)).map(async (name) => (await stat(join(child.run.todo, name))).size)
  return (await Promise.all(sizes)).filter((size) => size > 0)
}
const allTold = (child: Child) => eventually(async () => expect(await untold(child)).toEqual([]))

const short = (n: number): ChildMessage => ({ n })
const long = (n: number): ChildMessage => ({ n, text: 'x'.repeat(4_096) })

const ofLength = (bytes: number): ChildMessage => ({ text: 'x'.repeat(bytes - lineOf({ text: '' }).length) })

/** A child whose input is ours from now on, and what it has heard. */
async function ready(): Promise<{ child: Child; said: ChildMessage[] }> {
  const child = await startEcho()
  const said = [short(0)]
  await child.put(short(0))
  expect(await heardAfter(child, said)).toBe(textOf(said))
  await allTold(child)
  return { child, said }
}

test('a short message after what the keeper has fed goes into the pipe, without a file', async () => {
  const { child, said } = await ready()
  const before = await laid(child)
  for (const n of [1, 2, 3]) {
    await child.put(short(n))
    said.push(short(n))
  }
  expect(await laid(child)).toEqual(before)
  expect(await heardAfter(child, said)).toBe(textOf(said))
})

test('R6: what is too long for one undivided write goes by the folder, and what follows waits for it', async () => {
  const { child, said } = await ready()
  const messages = [short(1), long(2), short(3), long(4), short(5)]
  await Promise.all(messages.map((message) => child.put(message)))
  expect((await laid(child)).length).toBeGreaterThanOrEqual(3)
  expect(await heardAfter(child, [...said, ...messages])).toBe(textOf([...said, ...messages]))
})

test('a line of 4,096 bytes is written at once, one of 4,097 is not', async () => {
  const { child, said } = await ready()
  const before = (await laid(child)).length
  await child.put(ofLength(4_096))
  expect((await laid(child)).length).toBe(before)
  await child.put(ofLength(4_097))
  expect((await laid(child)).length).toBe(before + 1)
  expect(await heardAfter(child, [...said, ofLength(4_096), ofLength(4_097)])).toBe(
    textOf([...said, ofLength(4_096), ofLength(4_097)]),
  )
})

test('R6: messages of any length, with and without pauses between them, arrive whole and in order', async () => {
  const move = fc.record({ bytes: fc.integer({ min: 0, max: 9_000 }), pause: fc.boolean() })
  const moves = fc.array(move, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(moves, async (story) => {
      const child = await startEcho()
      const said: ChildMessage[] = []
      const puts: Promise<void>[] = []
      for (const [n, { bytes, pause }] of story.entries()) {
        said.push({ n, text: 'ä'.repeat(bytes / 2) })
        puts.push(child.put({ n, text: 'ä'.repeat(bytes / 2) }))
        if (pause) await allTold(child)
      }
      await Promise.all(puts)
      expect(await heardAfter(child, said)).toBe(textOf(said))
    }),
    { numRuns: 12 },
  )
})

test('R6: what a full pipe does not take whole waits in the folder, in order', async () => {
  const go = join(await temporaryFolder(), 'go')
  const child = await startEcho(go)
  await child.put(short(0))
  await allTold(child) // it lies in the pipe, which takes 64 KiB
  const said = [short(0)]
  for (let n = 1; n <= 60; n++) {
    const message = { n, text: 'x'.repeat(3_000) }
    await child.put(message)
    said.push(message)
  }
  expect((await untold(child)).length).toBeGreaterThan(0)
  expect(await heard(child)).toBe('')
  await writeFile(go, '')
  expect(await heardAfter(child, said)).toBe(textOf(said))
})

test('R6: a hub killed at any moment leaves no half line in the child’s input', async () => {
  const child = await startEcho()
  child.close()
  for (let kills = 0; kills < 5; kills++) {
    const before = (await stat(child.run.stdout)).size
    const putter = spawn(process.execPath, [programPath('putter'), child.run.path, child.sessionId], {
      stdio: 'inherit',
    })
    const gone = once(putter, 'exit')
    // Some hundred messages, the later ones without the keeper.
    await eventually(async () => {
      expect((await stat(child.run.stdout)).size).toBeGreaterThan(before + 200_000)
    })
    putter.kill('SIGKILL')
    await gone
  }
  const last = await adoptChild(child.run.path, child.sessionId)
  onTestFinished(() => last.close())
  await last.put({ last: true })
  const all = await eventually(async () => {
    const text = await heard(child)
    expect(text).toContain(lineOf({ last: true }))
    return text
  })
  for (const line of all.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

/** The processes that can say something to the child. */
async function feeders({ run, sessionId }: Child): Promise<number[]> {
  const all = await processesOfSession(sessionId)
  const says = all.map(async ({ pid }) => readlink(`/proc/${pid}/fd/1`).catch(() => ''))
  const held = await Promise.all(says)
  return all.flatMap(({ pid }, index) => (held[index] === run.stdin ? [pid] : []))
}

test('nothing comes after the last will', async () => {
  const go = join(await temporaryFolder(), 'go')
  const child = await startEcho(go)
  await child.put(short(0))
  await allTold(child)
  const stopped = child.stop([]) // without signals: the child ends when it may
  await eventually(async () => expect(await feeders(child)).toEqual([]))
  await child.put(short(1))
  await writeFile(go, '')
  expect(await stopped).toEqual({ kind: 'exited', code: 0 })
  expect(await heard(child)).toBe([short(0), ...lastWill()].map(lineOf).join(''))
})

test('the next hub does not know what the last one left in the folder, so its first message goes there too', async () => {
  const { child, said } = await ready()
  child.close()
  const next = await adoptChild(child.run.path, child.sessionId)
  onTestFinished(() => next.close())
  const before = (await laid(next)).length
  await next.put(short(1))
  expect((await laid(next)).length).toBe(before + 1)
  expect(await heardAfter(next, [...said, short(1)])).toBe(textOf([...said, short(1)]))
})

test.each(['nothing', 'a file', 'a folder', 'a link to a file'])(
  'where %s is in the place of the pipe, the folder is the way',
  async (what) => {
    const { child, said } = await ready()
    const { stdin } = child.run
    await rm(stdin)
    if (what === 'a folder') await mkdir(stdin)
    const elsewhere = join(await temporaryFolder(), 'elsewhere')
    if (what === 'a link to a file') {
      await writeFile(elsewhere, '')
      await symlink(elsewhere, stdin)
    }
    if (what === 'a file') await writeFile(stdin, '')
    await child.put(short(1))
    expect(await heardAfter(child, [...said, short(1)])).toBe(textOf([...said, short(1)]))
  },
)
