import type { Log } from '../base/log.ts'
import type { HubRecord } from '../hub/hub-record.ts'
import { type Config, fixedBy } from './config.ts'

/**
 * What to say to a client that sets variables to other values than the hub that it found runs with; undefined where it sets
 * none. What it does not set it leaves to the hub. Pure.
 */
function ignoredVariablesSentence(
  config: Config,
  hub: Readonly<Record<string, string>> | undefined,
): string | undefined {
  if (!hub) return undefined
  const names = Object.entries(fixedBy(config))
    .filter(([name, value]) => config.env[name] !== undefined && hub[name] !== value)
    .map(([name]) => name)
  if (names.length === 0) return undefined
  const [has, it] = names.length === 1 ? ['has', 'it'] : ['have', 'them']
  return `${names.join(', ')} of this client ${has} no effect, for the hub of ${config.home} runs with other values; stop that hub, and the next one takes ${it}.`
}

/** The same sentence once on stderr, and once to whoever starts a session. */
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
    /** It was said. */
    clear: () => {
      sentence = undefined
    },
  }
}
