import type { Log } from '../base/log.ts'
import type { HubRecord } from '../hub/hub-record.ts'
import { type Config, hubVariables } from './config.ts'

/**
 * A sentence for a client that sets variables to other values than the running hub has; undefined if there is no such
 * variable. A variable that the client does not set is left to the hub.
 */
function ignoredVariablesSentence(
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

/** The same sentence once on stderr, and once with the result of a call that starts a session. */
export function ignoredVariablesNotice(config: () => Config, log: Log) {
  let sentence: string | undefined
  let isLogged = false
  return {
    onFound: ({ set }: HubRecord): void => {
      if (isLogged) return
      sentence = ignoredVariablesSentence(config(), set)
      if (sentence === undefined) return
      log.warn(sentence)
      isLogged = true
    },
    sentence: () => sentence,
    /** Called when a result has contained it. */
    clear: () => {
      sentence = undefined
    },
  }
}
