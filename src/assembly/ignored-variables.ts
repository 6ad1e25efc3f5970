import { type Config, hubVariables } from './config.ts'

/**
 * A notice for a client that sets variables to other values than the running hub has; undefined if there is no such
 * variable. A variable that the client does not set is left to the hub.
 */
export function ignoredVariablesNotice(
  config: Config,
  hub: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (!hub) return undefined
  const names = Object.entries(hubVariables(config))
    .filter(([name, value]) => config.env[name] !== undefined && hub[name] !== value)
    .map(([name]) => name)
  if (names.length === 0) return undefined
  const [has, it] = names.length === 1 ? ['has', 'it'] : ['have', 'them']
  return `${names.join(', ')} of this client ${has} no effect, because the hub of ${config.home} runs with other values; stop that hub, and the next hub takes ${it}.`
}
