import { execFile, execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { say } from '../../src/demo/scenario.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { acquaint } from '../rig/cli/acquainted.ts'
import { cleanEnvironment, cliPath } from '../rig/cli/real-cli.ts'
import { eventsIn, indexOf, place } from './recorded.ts'

const tmuxIsThere = (() => {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8' }).startsWith('tmux')
  } catch {
    return false
  }
})()

test.runIf(tmuxIsThere)(
  'a session in a terminal is listed with its title, and as running until it ends',
  async () => {
    const { configFolder, home, model } = await place({ main: [say('hello from the model')] })
    const work = join(home, 'work')
    await mkdir(work)
    await acquaint(configFolder, work)
    const tmux = async (...args: string[]) =>
      (await promisify(execFile)('tmux', ['-u', '-f', '/dev/null', '-S', join(home, 'tmux'), ...args])).stdout
    const environment = Object.entries({ ...cleanEnvironment(home, model.url), TERM: 'xterm-256color' })
    const env = ['env', '-i', ...environment.map(([name, value]) => `${name}=${value}`)]
    await tmux('new-session', '-d', '-x', '120', '-y', '40', '-c', work, ...env, cliPath())
    onTestFinished(async () => void (await tmux('kill-server').catch(() => '')))
    const screenShows = (text: string) =>
      eventually(async () => expect(await tmux('capture-pane', '-p')).toContain(text))

    await screenShows('❯')
    await tmux('send-keys', '-l', 'hello there')
    await screenShows('hello there')
    await tmux('send-keys', 'Enter')
    await screenShows('hello from the model')

    const index = indexOf(configFolder)
    const shown = await eventually(async () => {
      const [first] = await index.list({ limit: 1, workingDirectory: work })
      // Whether it asks the model for a title here depends on the version.
      expect(['Scripted session', 'hello there']).toContain(first?.title)
      return first
    })
    expect(shown?.running).toMatchObject({ sessionId: shown?.sessionId })
    // What stands on the screen is written down a moment later.
    await eventually(async () => {
      const written = (await eventsIn(shown?.path ?? '')).filter(({ type }) => !type.startsWith('turn.'))
      expect(written).toEqual([
        expect.objectContaining({ type: 'prompt.accepted', content: 'hello there' }),
        expect.objectContaining({ type: 'text', text: 'hello from the model' }),
      ])
    })

    await tmux('kill-server')
    await eventually(async () => expect((await index.list({ limit: 1 }))[0]).not.toHaveProperty('running'))
  },
)
