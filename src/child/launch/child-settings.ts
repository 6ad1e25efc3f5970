import { isAbsolute } from 'node:path'
import { AppError } from '../../base/errors.ts'
import type { DeniedServer } from './denied-servers.ts'
import type { Supervision } from './start-options.ts'

/**
 * Characters that are literal in the CLI's path rules. With `[`, `\`, `$` or a space at the end of a folder name the rule
 * below does not hold, so a home with those is refused rather than left unguarded.
 */
const PLAIN = /^[\p{L}\p{M}\p{N} /._:#!'@+=~&;,()-]+$/u

/** Tools by which the CLI would act by itself later, in this session or in another session of the folder. */
const SCHEDULERS = ['CronCreate', 'CronDelete', 'ScheduleWakeup']

interface SettingsParts {
  readonly deniedMcpServers?: readonly DeniedServer[]
  /** Overrides the variables of every other settings file. */
  readonly env?: Readonly<Record<string, string>>
  readonly supervise?: Supervision
}

/**
 * Settings that every child gets on top of the user's own: its tools may not touch the folder that holds the operator's
 * token and the answers. Takes the real path: a rule for a link does not hold on CLI 2.1.197, while a rule for the real
 * path also holds for every link to it.
 */
export function childSettings(
  plexusHome: string,
  { deniedMcpServers = [], env = {}, supervise = 'asked' }: SettingsParts = {},
): object {
  const plain =
    PLAIN.test(plexusHome) && plexusHome.split('/').every((part) => part === part.trim() && part !== '..')
  if (!isAbsolute(plexusHome) || !plain || plexusHome === '/')
    throw new AppError(
      'invalid_input',
      'PLEXUS_HOME must be an absolute path without wildcards, quotes, brackets, "$" or "\\"; choose another folder.',
    )
  // The rule begins with two slashes: the first means "absolute", the second belongs to the path.
  const everything = `/${plexusHome.replace(/\/+$/, '')}/**`
  // Memory files import others past the deny rules. Wildcards, because nothing escapes a bracket there.
  const memory = everything.slice(1).replace(/[^\p{L}\p{M}\p{N} /._*-]/gu, '?')
  return {
    claudeMdExcludes: [memory],
    deniedMcpServers,
    // Commands inside a skill run before any hook sees them, and the question shows the skill's name alone.
    disableSkillShellExecution: true,
    env,
    permissions: { deny: [`Read(${everything})`, `Edit(${everything})`, ...SCHEDULERS] },
    // A model that enters plan mode by itself could otherwise run commands that nobody was asked about.
    useAutoModeDuringPlan: false,
    // A hook of the user or of a trusted repository could answer a question before the responsible answerer does.
    ...(supervise === 'asked' ? {} : { disableAllHooks: true }),
  }
}
