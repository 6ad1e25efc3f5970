import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { identityOf } from '../../src/system/process-identity.ts'
import { say } from '../../src/demo/scenario.ts'
import { runningSessions } from '../../src/transcripts/running-elsewhere.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { isWithoutCli, temporaryFolder } from '../rig/cli/real-cli.ts'
import { indexOf, place } from './recorded.ts'

test.skipIf(isWithoutCli)(
  'R22: a session that runs elsewhere is shown with its pid, until its process has ended or the pid belongs to another process',
  async () => {
    const { configFolder, start } = await place({ main: [say('hello')] })
    const index = indexOf(configFolder)
    const cli = await start('work', '--name=Still here')
    cli.say('hi')
    await cli.result()
    // The CLI tells where it runs in its own time.
    const shown = await eventually(async () => {
      const [first] = await index.list({ limit: 1 })
      expect(first?.running).toBeDefined()
      return first
    })
    const sessionId = shown?.sessionId ?? ''
    expect(shown?.running).toMatchObject({ pid: cli.pid })
    expect(await runningSessions(configFolder)).toEqual(new Map([[sessionId, shown?.running]]))

    const record = join(configFolder, 'sessions', `${cli.pid}.json`)
    const text = await readFile(record, 'utf8')
    await cli.end()
    expect(await runningSessions(configFolder)).toEqual(new Map())
    expect((await index.list({ limit: 1 }))[0]).not.toHaveProperty('running')

    // What a killed CLI leaves behind.
    await writeFile(record, text)
    expect(await runningSessions(configFolder)).toEqual(new Map())
    if (process.platform !== 'linux') return // elsewhere the start time in the record cannot be compared
    await writeFile(record, text.replace(`${cli.pid}`, `${process.pid}`))
    expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ pid: process.pid, sessionId })
    expect(await runningSessions(configFolder)).toEqual(new Map())
  },
)

async function sessionsFolder(files: Record<string, unknown>): Promise<string> {
  const config = await temporaryFolder()
  await mkdir(join(config, 'sessions', 'folder.json'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    await writeFile(
      join(config, 'sessions', name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  return config
}

test('a record without a start time counts while its pid is alive', async () => {
  const config = await sessionsFolder({
    'a.json': { pid: process.pid, sessionId: 'mine' },
    'b.json': { pid: 2 ** 30, sessionId: 'gone' },
  })
  expect([...(await runningSessions(config)).keys()]).toEqual(['mine'])
})

const record = async (of: number, startedAt: number) => ({
  pid: of,
  sessionId: 'shared',
  startedAt,
  procStart: (await identityOf(of))?.startedAt,
})

test('of two processes with the same session the later one is returned', async () => {
  const { pid, ppid } = process
  const config = await sessionsFolder({ 'a.json': await record(ppid, 2), 'b.json': await record(pid, 1) })
  expect((await runningSessions(config)).get('shared')?.pid).toBe(ppid)
})

test('keys, folders and malformed files are skipped', async () => {
  const config = await sessionsFolder({
    'a.json': '{"pid":',
    'b.json': '[]',
    'c.json': { pid: 0, sessionId: 'x' },
    'd.json': { pid: process.pid },
    'e.key': { pid: process.pid, sessionId: 'key' },
    'f.json': { pid: process.pid, sessionId: 'whole', startedAt: 'yesterday', name: 7 },
  })
  expect([...(await runningSessions(config)).keys()]).toEqual(['whole'])
  expect(await runningSessions(join(config, 'nowhere'))).toEqual(new Map())
})
