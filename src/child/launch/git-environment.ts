type Environment = Readonly<Record<string, string>>

/**
 * Settings that git must not take from a repository's own configuration in a child: a program that each `git status` starts,
 * a bare repository among the files of another, a program that each `git log` checks signatures with. Commands that a
 * person approves still run as always, including the hooks of a commit.
 */
const GUARDS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['log.showSignature', 'false'],
]

/** Adds the guards after the git settings that the environment already has, because the last value of a setting counts. */
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

/** Git accepts only a number here; with anything else it refuses to work at all. */
function countOf({ GIT_CONFIG_COUNT = '' }: Environment): number {
  return /^\d{1,4}$/.test(GIT_CONFIG_COUNT) ? Number(GIT_CONFIG_COUNT) : 0
}
