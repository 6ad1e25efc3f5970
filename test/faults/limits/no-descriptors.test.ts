import { execFileSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'

/** The soft limit of a process that runs. */
function limitDescriptors(pid: number, most: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`])
}

/** Leaves a process so many descriptors that it may still open. */
async function leaveDescriptors(pid: number, free: number): Promise<void> {
  const open = new Set((await readdir(`/proc/${pid}/fd`)).map(Number))
  let most = 0
  for (let left = free; left > 0 || open.has(most); most++) if (!open.has(most)) left--
  limitDescriptors(pid, most)
}

/** Costs next to nothing and says the version that is wanted: the fault is on our side of it. */
async function cheapCli(folder: string): Promise<string> {
  const path = join(folder, 'claude')
  const answering = join(import.meta.dirname, '../../fixtures/answering-child.sh')
  const script = `#!/bin/sh\ncase $1 in --version) echo '2.1.197 (Claude Code)' ;; *) exec sh '${answering}' ;; esac\n`
  await writeFile(path, script, { mode: 0o755 })
  return path
}

interface Started {
  readonly id: string
}

/** Starts a session, and returns its id and what is wrong with it, if it is. */
async function startedOn(hub: Hub, workingDirectory: string): Promise<{ id?: string; sentence?: string }> {
  try {
    const { id } = await hub.call<Started>('createSession', { options: { workingDirectory } })
    try {
      await hub.call('startTurn', { sessionId: id, content: 'go' })
      return { id }
    } catch (error) {
      return { id, sentence: error instanceof Error ? error.message : '' }
    }
  } catch (error) {
    return { sentence: error instanceof Error ? error.message : '' }
  }
}

test.runIf(process.platform === 'linux')(
  'R33: a session that is started when descriptors run out, wherever that is, works or ends with a sentence, and leaves no process',
  async () => {
    const place = await hubPlace({ env: { MAX_SESSIONS: '100' } })
    place.env['CLAUDE_CODE_PATH'] = await cheapCli(place.folder)
    const hub = await place.start()
    const first = await startedOn(hub, place.project)
    expect(first.sentence).toBeUndefined()
    const stateOf = (sessionId: string) =>
      hub.call<{ status: string; error?: { message: string } }>('getSession', { sessionId })
    const failed: string[] = []
    for (const free of [2, 4, 6]) {
      await leaveDescriptors(hub.pid, free)
      const said = place.stderr.length
      const started = await Promise.all(Array.from({ length: 6 }, () => startedOn(hub, place.project)))
      const ids = started.flatMap(({ id }) => id ?? [])
      for (const id of ids) place.sessions.add(id)
      await eventually(async () => {
        const states = await Promise.all(ids.map(stateOf))
        const atWork = states.some(({ status }) => status === 'running')
        expect(!atWork || place.stderr.slice(said).includes('"level":"error"')).toBe(true)
      })
      limitDescriptors(hub.pid, 1_024)
      for (const id of ids) {
        const { status, error } = await eventually(async () => {
          const session = await stateOf(id)
          expect(session.status).not.toBe('running')
          return session
        })
        if (status !== 'failed') continue
        failed.push(id)
        expect(error?.message).toMatch(/ulimit -n/)
      }
      // A connection that the hub could not take is refused by the system.
      for (const { sentence } of started) expect(sentence ?? '').toMatch(/^$|^fetch failed$|ulimit -n/)
    }
    expect(failed).not.toEqual([])
    for (const id of failed) await eventually(async () => expect(await processesOfSession(id)).toEqual([]))
  },
  120_000,
)
