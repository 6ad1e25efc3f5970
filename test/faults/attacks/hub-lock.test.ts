import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { programPath } from '../../rig/tools/build-programs.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'

test('R8: a second hub for the same home refuses, names the first, and leaves it alone', async () => {
  const place = await hubPlace()
  const first = await place.start()
  const second = place.launch()
  expect(await second.ended).toBe(1)
  expect(place.stderr).toMatch(/^plexus: A hub runs in .+\n$/m)
  expect(place.stderr).toContain(`(pid ${first.pid}, ${first.url})`)
  expect(await first.call('listSessions')).toEqual([])
  expect(JSON.parse(await readFile(join(place.home, 'hub.json'), 'utf8'))).toMatchObject({ pid: first.pid })
})

test('R8: of ten that start at once exactly one wins, also where one has crashed before', async () => {
  const place = await hubPlace()
  for (let round = 0; round < 2; round++) {
    const all = Array.from({ length: 10 }, () => place.launch())
    const ready = await Promise.all(all.map((one) => one.ready))
    const winners = ready.filter((one) => one !== undefined)
    expect(winners).toHaveLength(1)
    const losers = all.filter((_, at) => ready[at] === undefined)
    expect(await Promise.all(losers.map((one) => one.ended))).toEqual(losers.map(() => 1))
    const winner = all.find((_, at) => ready[at] !== undefined)
    winner?.process.kill('SIGKILL')
    await winner?.ended
  }
}, 60_000)

test('R8: a lock whose process is gone is taken over, and so is one whose pid is another process by now', async () => {
  const place = await hubPlace()
  const first = await place.start()
  await first.kill('SIGKILL')
  const second = await place.start()
  await second.kill('SIGTERM')
  const [lock = ''] = await locksIn(place.home)
  await writeFile(join(place.home, lock), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }))
  await (await place.start()).kill('SIGTERM')
  await writeFile(join(place.home, (await locksIn(place.home))[0] ?? ''), 'torn')
  await place.start()
  expect(await locksIn(place.home)).toHaveLength(1)
})

test('R8: where a hub is and how to reach it is on record while it runs, and no longer', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const record = JSON.parse(await readFile(join(place.home, 'hub.json'), 'utf8')) as object
  expect(record).toEqual({
    url: hub.url,
    socket: hub.socket,
    pid: hub.pid,
    version: expect.any(String),
    set: expect.objectContaining({ CLAUDE_CODE_PATH: place.env['CLAUDE_CODE_PATH'] }),
  })
  expect(await hub.kill('SIGTERM')).toBe(0)
  expect(await readdir(place.home)).not.toContain('hub.json')
  expect(await readdir(place.home)).not.toContain('hub.sock')
})

const CONTAINER = ['-p', '-f', '--mount-proc']
const hasContainers = spawnSync('unshare', [...CONTAINER, 'true']).status === 0
if (!hasContainers)
  process.stderr.write('\n*** SKIPPED: a hub in another pid namespace needs unshare, and root. ***\n\n')

test.runIf(hasContainers)(
  'S36: a hub in another pid namespace does not take the home of one that lives, and takes it after its end',
  async () => {
    const place = await hubPlace()
    const first = await place.start()
    const inside = (port: string) => {
      const serve = [programPath('plexus'), 'serve', '--home', place.home, '--json', '--port', port]
      return spawn('unshare', [...CONTAINER, '--kill-child', process.execPath, ...serve], {
        env: place.env,
        cwd: place.folder,
      })
    }
    const second = inside('0')
    const said = Promise.all([text(second.stderr), text(second.stdout), once(second, 'close')])
    const [stderr, stdout, [code]] = await said
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^plexus: A hub runs in .+ already \(in another container/m)
    expect(await first.call('listSessions')).toEqual([])
    await first.kill('SIGKILL')
    const third = inside('0')
    onTestFinished(async () => {
      third.kill('SIGKILL')
      await once(third, 'close')
    })
    const [ready] = (await once(createInterface({ input: third.stdout }), 'line')) as [string]
    expect(JSON.parse(ready)).toMatchObject({ socket: first.socket })
    const fourth = place.launch()
    expect(await fourth.ended).toBe(1)
  },
)

async function locksIn(home: string): Promise<string[]> {
  return (await readdir(home)).filter((name) => name.startsWith('hub.lock.'))
}
