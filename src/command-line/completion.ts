import { AppError } from '../base/errors.ts'
import type { Command } from './command.ts'
import { COMMON_FLAGS, findCommand } from './parse-command.ts'

/** The names that can be completed, asked for only if they are needed. */
export interface LiveNames {
  readonly session: () => Promise<readonly string[]>
  readonly question: () => Promise<readonly string[]>
  readonly client: () => Promise<readonly string[]>
}

/** What may stand in the place of the last word, which the person has begun to type. */
export async function candidates(
  commands: readonly Command[],
  words: readonly string[],
  live: LiveNames,
): Promise<string[]> {
  const typed = unquoted(words.at(-1) ?? '')
  const all = await candidatesFor(commands, words, live)
  return all.filter((candidate) => candidate.startsWith(typed))
}

/** A word as the person has typed it so far: a shell has not taken its quotes away yet. */
function unquoted(word: string): string {
  return word.replace(/^['"]/, '').replaceAll(/\\(.)/g, '$1')
}

async function candidatesFor(
  commands: readonly Command[],
  [name = '', ...rest]: readonly string[],
  live: LiveNames,
): Promise<readonly string[]> {
  if (rest.length === 0) return commands.flatMap((command) => (command.hidden ? [] : command.name))
  const command = findCommand(commands, name)
  if (!command) return []
  if (rest.at(-1)?.startsWith('-'))
    return Object.keys({ ...command.flags, ...COMMON_FLAGS }).map((flag) => `--${flag}`)
  return command.completes === undefined ? [] : live[command.completes]()
}

/** A script for a shell, which asks `plexus complete` at each Tab. */
export function completionScript(shell: string): string {
  const script = SCRIPTS.get(shell)
  if (script !== undefined) return script
  throw new AppError(
    'invalid_input',
    `Say for which shell: plexus completion ${[...SCRIPTS.keys()].join(' | ')}.`,
  )
}

const SCRIPTS: ReadonlyMap<string, string> = new Map([
  [
    'bash',
    `_plexus() {
  local name quoted
  COMPREPLY=()
  while IFS= read -r name; do
    printf -v quoted %q "$name"
    COMPREPLY+=("$quoted")
  done < <(plexus complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _plexus plexus`,
  ],
  [
    'zsh',
    `#compdef plexus
_plexus() {
  local -a found
  found=(\${(f)"$(plexus complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -- $found
}
compdef _plexus plexus`,
  ],
  [
    'fish',
    `complete -c plexus -f -a '(plexus complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
  ],
])
