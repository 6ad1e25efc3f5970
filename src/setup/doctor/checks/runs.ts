import { count, fix, ok, type Outcome, size } from './finding.ts'

export interface RunsFacts {
  readonly hubRuns: boolean
  readonly runs: readonly { readonly childLives: boolean; readonly keeperLives: boolean }[]
  /** Memory of the children and all below them; undefined where the system does not say. */
  readonly bytes?: number | undefined
}

export function judgeRuns({ hubRuns, runs, bytes }: RunsFacts): Outcome[] {
  const live = runs.filter(({ childLives }) => childLives)
  if (live.length === 0) return [ok('No Claude Code process of a session runs.')]
  const memory = bytes === undefined ? '' : `, ${size(bytes)} of memory in all`
  const processes = count(live.length, 'live process').replace(/processs$/, 'processes')
  const orphans = live.filter(({ keeperLives }) => !keeperLives)
  const lost =
    orphans.length === 0
      ? []
      : [
          fix(
            `${count(orphans.length, 'session')} lost the shell that feeds it; the next hub ends that process. Run: plexus serve`,
          ),
        ]
  if (hubRuns)
    return [ok(`${processes} of sessions${memory}. plexus stop ends one, plexus say resumes it.`), ...lost]
  return [
    fix(
      `${processes} of sessions without a hub${memory}: what they ask waits, and after half an hour they end. Run: plexus serve`,
    ),
    ...lost,
  ]
}
