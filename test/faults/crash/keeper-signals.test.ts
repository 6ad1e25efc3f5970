import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { isFull } from '../../rig/cli/real-cli.ts'
import { type Supervised, supervise } from '../../rig/hubs/supervised.ts'

const scenario = { main: [tools(use('Bash', { command: 'touch unasked' })), say('done')] }
const OPEN = {
  question: { scenario },
  hook: { scenario, crash: { point: 'after-commit', event: 'tool.seen', nth: 1 } },
} as const
type Open = keyof typeof OPEN

/** A session whose hub was killed while something was open. */
async function left(open: Open): Promise<Supervised> {
  const session = await supervise(OPEN[open])
  if (open === 'hook') await session.ended()
  else {
    await session.event('approval.opened')
    await session.kill()
  }
  return session
}

const childPid = async ({ run }: Supervised) => Number(await readFile(run.pid, 'utf8'))

async function signal(session: Supervised, name: NodeJS.Signals, includingChild: boolean): Promise<void> {
  const child = await childPid(session)
  for (const { pid } of await processesOfSession(session.spec.sessionId))
    if (includingChild || pid !== child) process.kill(pid, name)
}

const ran = ({ project }: Supervised) => existsSync(join(project, 'unasked'))

const MOST_LIKELY = [['SIGTERM', 'hook']] as const
const OTHERS = [
  ['SIGHUP', 'hook'],
  ['SIGINT', 'hook'],
  ['SIGTERM', 'question'],
] as const
const EACH = isFull ? [...MOST_LIKELY, ...OTHERS] : MOST_LIKELY

test.each(EACH)(
  'S25: %s to the keeper under an open %s runs nothing, and the next hub continues',
  async (name, open) => {
    const session = await left(open)
    await signal(session, name, false)
    await session.start()
    const opened = await session.event('approval.opened')
    expect(session.all('run.ended')).toEqual([])
    await session.deny(opened)
    expect(await session.event('turn.ended')).toMatchObject({ outcome: 'done' })
    expect(ran(session)).toBe(false)
  },
)

test.each(EACH)(
  'S25: %s to the keeper and the child, as at a logout, under an open %s runs nothing',
  async (name, open) => {
    const session = await left(open)
    await signal(session, name, true)
    await eventually(async () => expect(await readFile(session.run.exit, 'utf8')).toMatch(/^\d+\n$/))
    await session.start()
    await session.event('run.ended')
    expect(session.pending()).toEqual([])
    expect(session.all('tool.finished').filter(({ isError }) => !isError)).toEqual([])
    expect(ran(session)).toBe(false)
    expect(await processesOfSession(session.spec.sessionId)).toEqual([])
  },
)
