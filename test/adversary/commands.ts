/** Every command that looks harmless and is not, by kind. */
import type { Attack } from './rig/attack.ts'
import { ARCHIVERS, WRITERS } from './commands/archivers.ts'
import { ENVIRONMENT } from './commands/environment.ts'
import { FINDERS, OPTIONS } from './commands/finders.ts'
import { GIT, HOSTILE_GIT } from './commands/git.ts'
import { INTERPRETERS } from './commands/interpreters.ts'
import { NETWORK } from './commands/network.ts'
import { PACKAGES } from './commands/packages.ts'
import { PROCESSES } from './commands/processes.ts'
import { LINKS, READERS } from './commands/readers.ts'
import { SHELL } from './commands/shell.ts'

export const ATTACKS: readonly Attack[] = [
  ...READERS,
  ...LINKS,
  ...ARCHIVERS,
  ...WRITERS,
  ...FINDERS,
  ...OPTIONS,
  ...INTERPRETERS,
  ...GIT,
  ...HOSTILE_GIT,
  ...PACKAGES,
  ...NETWORK,
  ...SHELL,
  ...ENVIRONMENT,
  ...PROCESSES,
]
