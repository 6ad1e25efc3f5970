import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../src/demo/scenario.ts'
import { transcriptPathOf } from '../../src/transcripts/transcript-path.ts'
import { indexOf, newest, place } from './recorded.ts'

test('sessions of the CLI are listed with title, first prompt and folder, newest first', async () => {
  const { configFolder, home, start } = await place({ main: [say('hello')] })
  const index = indexOf(configFolder)
  expect(await index.list({ limit: 10 })).toEqual([])

  const first = await start('one', '--name=The named one')
  first.say('first prompt\nwith a second line')
  await first.result()
  await first.end()
  const second = await start('other dir.v2_x')
  second.say('no name here')
  await second.result()
  await second.end()

  const listed = await index.list({ limit: 10 })
  expect(listed).toEqual([
    {
      sessionId: second.lines.find(({ type }) => type === 'result')?.['session_id'],
      path: expect.stringMatching(/\.jsonl$/),
      workingDirectory: join(home, 'other dir.v2_x'),
      title: 'no name here',
      updatedAt: expect.any(Number),
    },
    expect.objectContaining({
      workingDirectory: join(home, 'one'),
      title: 'The named one',
    }),
  ])

  const [here] = await index.list({ limit: 10, workingDirectory: join(home, 'one') })
  expect(here?.title).toBe('The named one')
  expect(await index.list({ limit: 10, workingDirectory: join(home, 'other-dir-v2-x') })).toEqual([])
  expect(await transcriptPathOf(configFolder, here?.sessionId ?? '')).toBe(here?.path)
})

test('a working directory with a long path is found', async () => {
  const { configFolder, home, start } = await place({ main: [] })
  const folder = `${'deep-folder/'.repeat(20)}end`
  const cli = await start(folder)
  cli.say('hi')
  await cli.result()
  await cli.end()
  const workingDirectory = join(home, folder)
  expect(await indexOf(configFolder).list({ limit: 1, workingDirectory })).toMatchObject([
    { workingDirectory },
  ])
})

test('a fork from another folder belongs to the folder it was made in', async () => {
  const { configFolder, home, start } = await place({ main: [] })
  const origin = await start('one')
  origin.say('the origin')
  await origin.result()
  await origin.end()
  const index = indexOf(configFolder)
  const { path } = await newest(index)
  const fork = await start('two', `--resume=${path}`, '--fork-session')
  fork.say('the fork')
  await fork.result()
  await fork.end()
  const all = await index.list({ limit: 10 })
  expect(all.map(({ workingDirectory }) => workingDirectory)).toEqual([join(home, 'two'), join(home, 'one')])
})

test('a continued session moves to the top, and its new title is listed', async () => {
  const { configFolder, start } = await place({ main: [] })
  // Elsewhere the watch may tell of a change a moment later.
  const fullScanMs = process.platform === 'linux' ? Number.POSITIVE_INFINITY : 0
  const index = indexOf(configFolder, { fullScanMs })
  const first = await start('same')
  first.say('the first')
  await first.result()
  const second = await start('same')
  second.say('the second')
  await second.result()
  await second.end()
  expect((await index.list({ limit: 10 })).map(({ title }) => title)).toEqual(['the second', 'the first'])
  first.say('again')
  await first.result(2)
  await first.end()
  const top = await newest(index)
  expect(top.title).toBe('the first')
  const renamed = { type: 'custom-title', customTitle: 'another name', sessionId: top.sessionId }
  await appendFile(top.path, `${JSON.stringify(renamed)}\n`)
  expect((await index.list({ limit: 1 }))[0]?.title).toBe('another name')
})
