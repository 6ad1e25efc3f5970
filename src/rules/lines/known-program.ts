import { UNSAFE_SUBCOMMANDS } from '../../shell/programs/known-programs.ts'
import { nameOf, runsPrograms } from '../../shell/programs-that-run-programs.ts'
import { EVALUATES } from './run-by-others.ts'

/** What is known of a program by its name. */
export interface KnownProgram {
  /** As `nameOf` returns it. */
  readonly name: string | undefined
  /** It runs other programs. */
  readonly runs: boolean
  /** It evaluates substitutions in its words. */
  readonly evaluates: boolean
  /** It runs no others, but can read what to run. */
  readonly reads: boolean
  /** Those of its subcommands that run their arguments. */
  readonly unsafe: ReadonlySet<string> | undefined
}

const known = new Map<string, KnownProgram>()

/** Found out once for each program: the same few are called all day. */
export function knownProgram(program: string): KnownProgram {
  const before = known.get(program)
  if (before) return before
  const name = nameOf(program)
  const found = {
    name,
    runs: name !== undefined && runsPrograms(name),
    evaluates: EVALUATES.has(name ?? program),
    reads: READS.has(name ?? program),
    unsafe: UNSAFE_SUBCOMMANDS.get(name ?? program),
  }
  if (known.size >= MAX_PROGRAMS) known.clear()
  known.set(program, found)
  return found
}

const READS: ReadonlySet<string> = new Set([
  'make',
  'gmake',
  'just',
  'docker',
  'podman',
  'nerdctl',
  'kubectl',
  'oc',
])
const MAX_PROGRAMS = 1_000
