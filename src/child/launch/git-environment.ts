type Environment = Readonly<Record<string, string>>

/**
 * What git does not take from a repository's own configuration in a child: a program that each `git status` starts, a bare
 * repository that lies among the files of another, a program that each `git log` checks signatures with. What a person
 * approves still runs as ever, hooks of a commit included.
 */
const GUARDS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['log.showSignature', 'false'],
]

/** Adds them behind what the environment already tells git, because the last one counts. */
export function withGuardedGit(environment: Environment): Record<string, string> {
  const count = countOf(environment)
  const added = GUARDS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${count + index}`, key],
    [`GIT_CONFIG_VALUE_${count + index}`, value],
  ])
  return {
    ...environment,
    ...Object.fromEntries(added),
    GIT_CONFIG_COUNT: String(count + GUARDS.length),
  }
}

/** Git takes nothing but a number here; with anything else it refuses to work at all. */
function countOf({ GIT_CONFIG_COUNT = '' }: Environment): number {
  return /^\d{1,4}$/.test(GIT_CONFIG_COUNT) ? Number(GIT_CONFIG_COUNT) : 0
}
