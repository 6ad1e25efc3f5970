import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Attack } from './attack.ts'
import { type Listener, startListener } from './listener.ts'
import type { MarkedPlaces } from './marked-places.ts'
import type { ToolCall } from './tool-calls.ts'
import type { Seen } from './verdict.ts'

/** An attack with everything in it that belongs to this run. */
export interface PreparedAttack {
  readonly attack: Attack
  readonly calls: readonly ToolCall[]
  /** Files that are this attack's alone. */
  readonly files: readonly string[]
  readonly listener: Listener | undefined
  /** Part of the command line of every process that it starts to stay. */
  readonly seconds: string
  readonly seen: Seen
}

/** How long a command may take: none of them needs a second, and one that waits for somebody waits for ever. */
const TIMEOUT_MS = 4_000
const FIRST_SECONDS = 71_000

export async function prepareAttack(
  places: MarkedPlaces,
  attack: Attack,
  number: number,
): Promise<PreparedAttack> {
  const victim = join(places.out, `victim-${number}`)
  const inside = join(places.project, 'kept', `${number}.txt`)
  const uses = (name: string) => attack.command.includes(name)
  await mkdir(join(inside, '..'), { recursive: true })
  const files = [...(uses('%victim%') ? [victim] : []), ...(uses('%inside%') ? [inside] : [])]
  for (const file of files) await writeFile(file, 'unchanged\n')
  const listener = uses('%port%') ? await startListener() : undefined
  const seconds = String(FIRST_SECONDS + number)
  const { out, home, beside, key, token } = places
  const words: Record<string, string> = {
    victim,
    inside,
    seconds,
    out,
    home,
    beside,
    key,
    token,
    id: String(number),
    port: String(listener?.port),
    'beside:escaped': beside.replaceAll('/', '\\/'),
  }
  const commands = [...attack.before, attack.command].map((command) =>
    command.replaceAll(/%([a-z:]+)%/g, (whole, name: string) => words[name] ?? whole),
  )
  const calls = commands.map((command, step) => ({
    id: `toolu_${number}_${step}`,
    name: 'Bash',
    input: { command, timeout: TIMEOUT_MS, ...(attack.inBackground && { run_in_background: true }) },
  }))
  const seen = { asked: false, refused: false, text: '', reached: new Set<string>() }
  return { attack, calls, files, listener, seconds, seen }
}

/** A shell of the CLI stays where a command has gone to; the next attack begins in the folder again. */
export function goBack({ calls }: PreparedAttack, folder: string): ToolCall[] {
  const moves = calls.some(({ input }) => /\b(?:cd|pushd)\b/.test(JSON.stringify(input)))
  const id = `${calls.at(-1)?.id}_back`
  return moves ? [{ id, name: 'Bash', input: { command: `cd ${folder}` } }] : []
}

export const isGoingBack = (toolUseId: string): boolean => toolUseId.endsWith('_back')
