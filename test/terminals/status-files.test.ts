import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { identityOf } from '../../src/system/process-identity.ts'
import {
  readTerminalStatuses,
  type TerminalStatus,
  watchTerminalStatuses,
} from '../../src/terminals/status-files.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { heldTimers } from '../rig/tools/held-timers.ts'

/** As Claude Code 2.1.197 writes it. */
const RECORD = {
  sessionId: '216be314-0000-4000-8000-000000000000',
  cwd: '/work',
  startedAt: 1794817536623,
  version: '2.1.197',
  kind: 'interactive',
  entrypoint: 'cli',
  name: 'work-75',
  nameSource: 'derived',
  status: 'waiting',
  waitingFor: 'permission prompt',
  updatedAt: 1794817536999,
  statusUpdatedAt: 1794817536999,
}

async function ownProcess() {
  return { pid: process.pid, procStart: (await identityOf(process.pid))?.startedAt }
}

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const config = await temporaryFolder()
  await mkdir(join(config, 'sessions'))
  for (const [name, content] of Object.entries(files)) await write(config, name, content)
  return config
}

async function write(config: string, name: string, content: unknown): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(join(config, 'sessions', name), text)
}

test('an interactive CLI that lives is read with its status, and nothing else is', async () => {
  const mine = { ...RECORD, ...(await ownProcess()) }
  const config = await folderWith({
    'mine.json': mine,
    'gone.json': { ...mine, pid: 2 ** 30 },
    'print.json': { ...mine, kind: 'print' },
    'program.json': { ...mine, entrypoint: 'sdk-cli' },
    'unknown.json': { ...mine, status: 'dreaming' },
    'empty.json': '',
    'half.json': JSON.stringify(mine).slice(0, 40),
    'mine.key': JSON.stringify(mine),
  })
  const { sessionId, cwd, version, name, status, waitingFor, statusUpdatedAt, kind } = RECORD
  expect(await readTerminalStatuses(config)).toEqual([
    {
      ...(await ownProcess()),
      sessionId,
      cwd,
      version,
      name,
      status,
      waitingFor,
      statusUpdatedAt,
      kind,
      configDir: config,
    },
  ])
})

test.runIf(process.platform === 'linux')(
  'the file of a process whose pid was used again is no status',
  async () => {
    const config = await folderWith({ 'a.json': { ...RECORD, pid: process.pid, procStart: '1' } })
    expect(await readTerminalStatuses(config)).toEqual([])
  },
)

test('what a CLI waits for is said only while it waits', async () => {
  const config = await folderWith({ 'a.json': { ...RECORD, ...(await ownProcess()), status: 'busy' } })
  const [only] = await readTerminalStatuses(config)
  expect(only).toMatchObject({ status: 'busy' })
  expect(only).not.toHaveProperty('waitingFor')
})

test('a file that is written in two halves is read whole', async () => {
  const text = JSON.stringify({ ...RECORD, ...(await ownProcess()) })
  const config = await folderWith({ 'a.json': text.slice(0, 30) })
  const reading = readTerminalStatuses(config)
  await appendFile(join(config, 'sessions', 'a.json'), text.slice(30))
  expect(await reading).toHaveLength(1)
})

/** Every other list that a watch has read. */
function watched(...configDirs: string[]) {
  const lists: (readonly TerminalStatus[])[] = []
  const watch = watchTerminalStatuses(configDirs, (statuses, isChanged) => {
    if (isChanged) lists.push(statuses)
  })
  onTestFinished(() => watch.close())
  const last = () => lists.at(-1)?.map(({ status }) => status)
  return { lists, watch, last }
}

test('a change of a status is reported once, and the end of the file too', async () => {
  heldTimers() // no reading now and then: a change is seen because the system reports it
  const mine = { ...RECORD, ...(await ownProcess()) }
  const config = await folderWith({ 'a.json': mine })
  const { lists, last } = watched(config)
  await eventually(() => expect(last()).toEqual(['waiting']))
  await write(config, 'a.json', { ...mine, status: 'busy' })
  await eventually(() => expect(last()).toEqual(['busy']))
  await write(config, 'a.key', 'a key of the CLI')
  await rm(join(config, 'sessions', 'a.json'))
  await eventually(() => expect(last()).toEqual([]))
  expect(lists).toHaveLength(3)
})

test('a reading that finds the same as before is reported as one', async () => {
  const pass = heldTimers()
  const config = await folderWith({ 'a.json': { ...RECORD, ...(await ownProcess()) } })
  const readings: [number, boolean][] = []
  const watch = watchTerminalStatuses([config], (found, isChanged) =>
    readings.push([found.length, isChanged]),
  )
  onTestFinished(() => watch.close())
  await eventually(() => expect(readings).toHaveLength(1))
  await pass(1_999)
  expect(readings).toHaveLength(1)
  await pass(1)
  await eventually(() => expect(readings.length).toBeGreaterThan(1))
  expect(readings).toEqual([
    [1, true],
    [1, false],
  ])
})

test('folders that are made later are watched, and so is one that was removed and made again', async () => {
  heldTimers()
  const mine = { ...RECORD, ...(await ownProcess()) }
  const [there, later] = [await folderWith({}), join(await temporaryFolder(), 'config')]
  const { last } = watched(there, later)
  await eventually(() => expect(last()).toEqual([]))
  await mkdir(join(later, 'sessions'), { recursive: true })
  await write(later, 'a.json', mine)
  await eventually(() => expect(last()).toEqual(['waiting']))
  await rm(later, { recursive: true })
  await eventually(() => expect(last()).toEqual([]))
  await mkdir(join(later, 'sessions'), { recursive: true })
  await write(later, 'a.json', { ...mine, status: 'idle' })
  await eventually(() => expect(last()).toEqual(['idle']))
})

test('nothing is reported after the end of a watch', async () => {
  const config = await folderWith({})
  const { lists, watch, last } = watched(config)
  await eventually(() => expect(last()).toEqual([]))
  watch.close()
  await write(config, 'a.json', { ...RECORD, ...(await ownProcess()) })
  await expect(readTerminalStatuses(config)).resolves.toHaveLength(1)
  expect(lists).toHaveLength(1)
})

test('a CLI that was killed leaves the list, though its file stays', async () => {
  const pass = heldTimers()
  const sleeper = spawn('sleep', ['600'])
  onTestFinished(() => void sleeper.kill('SIGKILL'))
  await once(sleeper, 'spawn')
  const config = await folderWith({ 'a.json': { ...RECORD, pid: sleeper.pid } })
  const { last } = watched(config)
  await eventually(() => expect(last()).toEqual(['waiting']))
  sleeper.kill('SIGKILL')
  await once(sleeper, 'exit')
  await pass(2_000)
  await eventually(() => expect(last()).toEqual([]))
})
