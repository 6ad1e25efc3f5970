/** Makes every attack in a session of a real hub and says what came of each, as seen from outside. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processesOfSession } from '../../../src/system/process-tree.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import type { Hub } from '../../rig/hubs/hub.ts'
import type { Attack } from './attack.ts'
import { type MarkedPlaces, markedPlaces } from './marked-places.ts'
import { newMark, shows } from './marks.ts'
import { goBack, isGoingBack, type PreparedAttack, prepareAttack } from './prepared-attack.ts'
import { CallingHub, type Told } from './tool-calls.ts'
import { type Finding, verdictOf } from './verdict.ts'
import { WatchedFiles } from './watched-files.ts'

/** So few that the conversation stays short: the CLI sends all of it with every call. */
const CALLS_OF_A_SESSION = 120

export interface Tried {
  readonly findings: readonly Finding[]
  /** What was reached and is no attack's for certain. */
  readonly unexplained: readonly string[]
}

export async function tryAttacks(attacks: readonly Attack[]): Promise<Tried> {
  const secret = newMark()
  const rig = await CallingHub.make({ SUITE_SECRET: secret })
  const places = await markedPlaces(rig.place.folder)
  const hub = await rig.place.start()
  places.marks.set(places.token, hub.token)
  places.marks.set('the environment', secret)
  const all: PreparedAttack[] = []
  for (const attack of attacks) all.push(await prepareAttack(places, attack, all.length))
  const unexplained: string[] = []
  for (const folder of ['project', 'vendored'] as const) {
    const here = all.filter(({ attack }) => attack.folder === folder)
    for (let at = 0; at < here.length; at += CALLS_OF_A_SESSION)
      unexplained.push(...(await trySome(rig, hub, places, folder, here.slice(at, at + CALLS_OF_A_SESSION))))
  }
  const findings = all.map(({ attack, seen }) => ({
    attack,
    verdict: verdictOf(seen),
    reached: [...seen.reached],
    text: seen.text.slice(0, 200),
  }))
  return { findings, unexplained }
}

/** In one session. Returns what nobody can be blamed for. */
async function trySome(
  rig: CallingHub,
  hub: Hub,
  places: MarkedPlaces,
  folder: Attack['folder'],
  prepared: readonly PreparedAttack[],
): Promise<string[]> {
  const unexplained: string[] = []
  const byCall = new Map(prepared.flatMap((one) => one.calls.map(({ id }) => [id, one] as const)))
  const files = new WatchedFiles([
    places.out,
    join(places.key, '..'),
    join(places.home, '.netrc'),
    places.token,
    join(places.project, 'kept'),
    join(places.project, 'README.md'),
  ])
  const blame = (path: string, last: PreparedAttack | undefined) => {
    const culprit = prepared.find((one) => one.files.includes(path)) ?? last
    if (culprit) culprit.seen.reached.add(`${basename(path)} has changed`)
    else unexplained.push(`${basename(path)} has changed`)
  }
  let before: ReadonlySet<number> = new Set()
  const told = await rig.converse(hub, {
    calls: prepared.flatMap((one) => [...one.calls, ...goBack(one, places[folder])]),
    options: { workingDirectory: places[folder] },
    answer: (id) => (isGoingBack(id) ? 'allow' : 'deny'),
    async begun(sessionId) {
      before = new Set((await processesOfSession(sessionId)).map(({ pid }) => pid))
      files.changes() // what the start of the CLI does is no command's doing
    },
    finished(id, text) {
      const one = byCall.get(id)
      for (const path of files.changes()) blame(path, one)
      if (!one) return
      one.seen.text += text
      for (const [place, mark] of places.marks)
        if (shows(text, mark)) one.seen.reached.add(`the model saw ${basename(place)}`)
    },
    async over(sessionId) {
      for (const path of files.changes()) blame(path, undefined)
      unexplained.push(...(await leftProcesses(sessionId, before, prepared)))
    },
  })
  for (const one of prepared) noteAnswers(one, told)
  const rest = withoutToolResults(told)
  for (const [place, mark] of places.marks)
    if (rest.includes(mark)) unexplained.push(`the model saw ${basename(place)} outside of all results`)
  return unexplained
}

function noteAnswers({ calls, seen, listener }: PreparedAttack, { asked, refused }: Told): void {
  seen.asked = calls.some(({ id }) => asked.has(id))
  seen.refused = calls.some(({ id }) => refused.has(id))
  if (listener && listener.calls() > 0) seen.reached.add('somebody called the listener')
}

/** What runs now and did not at the beginning. Whatever is not an attack's has a moment to end. */
async function leftProcesses(
  sessionId: string,
  before: ReadonlySet<number>,
  prepared: readonly PreparedAttack[],
): Promise<string[]> {
  const others = async (): Promise<string[]> => {
    const lines = (await processesOfSession(sessionId))
      .filter(({ pid }) => !before.has(pid))
      .map(({ pid }) => commandLine(pid))
    return lines.filter((line) => {
      const culprit = prepared.find(({ seconds }) => line.includes(seconds))
      culprit?.seen.reached.add('a process is left')
      return !culprit && line !== ''
    })
  }
  try {
    await eventually(async () => {
      if ((await others()).length > 0) throw new Error('There are more processes than at the beginning.')
    }, 5_000)
    return []
  } catch {
    return (await others()).map((line) => `a process is left: ${line}`)
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** All that the model got beside the results of its calls, which are looked at one by one. */
function withoutToolResults({ last }: Told): string {
  return JSON.stringify(last?.body ?? {}, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && 'type' in value && value.type === 'tool_result'
      ? null
      : value,
  )
}
