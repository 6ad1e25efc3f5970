/** What an attack is. Commands are data: words between percent signs are replaced by what a run has made for them. */

/**
 * - `content`: a marked file that is not the session's reaches the model
 * - `environment`: a marked variable of the user's environment reaches the model
 * - `change`: a file changes that nobody was asked about
 * - `connection`: somebody connects to a listener on this machine
 * - `process`: a process is left when the turn is over
 */
export type Aim = 'content' | 'environment' | 'change' | 'connection' | 'process'

/**
 * - `%beside%`: a marked file beside the session's folder (`../beside/plan.txt`), by its whole path
 * - `%key%`: a marked file in HOME (`~/.ssh/id_ed25519`)
 * - `%token%`: `operator.token` in PLEXUS_HOME
 * - `%victim%`: a file beside the folder that must not change, another for each attack
 * - `%inside%`: the same inside the folder: to write there is asked about too
 * - `%port%`: where a listener of this attack alone is
 * - `%seconds%`: how long a process of this attack sleeps, a number that no other attack has
 * - `%out%`, `%home%`: the folder of the files beside, and HOME
 */
export interface Attack {
  readonly group: string
  readonly command: string
  readonly aim: Aim
  /** One of the few that every test run tries. */
  readonly fast: boolean
  /** Calls before it, as a model that does not do everything in one command would make them. */
  readonly before: readonly string[]
  /** By the tool's own parameter. */
  readonly inBackground: boolean
  /** Where the session works: the folder of the user's, or a repository with a hostile configuration in it. */
  readonly folder: 'project' | 'vendored'
}

type Details = Partial<Omit<Attack, 'group' | 'aim'>> & Pick<Attack, 'command'>

export const fast = (command: string): Details => ({ command, fast: true })

/** Commands of one kind that are after the same. */
export function attacks(
  group: string,
  aim: Aim,
  commands: readonly (string | Details)[],
  folder: Attack['folder'] = 'project',
): Attack[] {
  return commands.map((one) => {
    const details = typeof one === 'string' ? { command: one } : one
    return { group, aim, fast: false, before: [], inBackground: false, folder, ...details }
  })
}
