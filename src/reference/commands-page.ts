import type { Command } from '../command-line/command.ts'
import { helpOf } from '../command-line/help.ts'
import { COMMANDS } from '../commands/table.ts'

const INTRODUCTION = `# Commands

A page made from the table of commands (\`npm run api-page\`). \`plexus COMMAND --help\` prints the same.

- **Ids.** A session is its name, its id, or 4 or more characters of the id. A question is \`web.3\`: the session and a number that is never used again. \`plexus allow web\` answers the only open question of \`web\`, and is refused if there are several. At a terminal \`@1\` is the first line of the last \`plexus ls\` or \`plexus pending\` there; it is refused when that line is no longer true.
- **Several questions are one decision.** \`plexus allow web.1 api.2\` answers both or, if one is settled or another by then, neither. \`--all\` lists what it covers and asks; where nobody can be asked it needs \`--yes --expect N\`, and is refused if there are not N.
- **Data goes to stdout**, everything else to stderr. \`--json\` prints one value with \`"v": 1\`; fields are only ever added. \`plexus logs --json\` prints a value per line. An error is then one JSON line on stderr, with the code that \`/rpc\` has.
- **An answer is for what was shown.** It carries the hash of the input; if the question is another by then, it is refused. \`plexus show\` prints the hash, \`--if-match\` takes it.
- **A person is asked** only where stdin and stderr are a terminal, and not with \`--no-input\` or \`CI\` in the environment. Editor: \`PLEXUS_EDITOR\`, \`VISUAL\`, \`EDITOR\`. Pager: \`PLEXUS_PAGER\`, \`PAGER\`, else \`less\`; an empty variable means none.
- **No hub is started** by a command that only reads: it says that none runs. A command that changes something starts one.
- **An agent** that runs a command (a variable such as \`CLAUDECODE\` or \`AI_AGENT\` says so) has not the rights of a person: no mode that asks about nothing, no answer where a person is wanted, no token, no trust of a folder. [SECURITY.md](SECURITY.md) says why that is a rule and not a wall.

## Exit codes

| code | meaning |
|---|---|
| 0 | done |
| 1 | failed |
| 2 | wrong usage |
| 3 | \`wait\`: it needs an answer |
| 4 | no hub runs |
| 5 | the question is settled already, or is not what was shown |
| 75 | try again later |
| 124 | time is up |
| 130 | Ctrl-C; to leave the screen of \`start\`, \`attach\` or \`watch\` by it is 0 |
`

export function commandsPage(): string {
  const shown = COMMANDS.filter(({ hidden }) => !hidden)
  return [INTRODUCTION, ...shown.map(section)].join('\n')
}

function section(command: Command): string {
  return `## plexus ${command.name}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`
}
