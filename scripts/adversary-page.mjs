// docs/ADVERSARY.md from what the suite has found on each version.

/** A command in a cell of a table, with what cannot be seen made visible, and without the middle if it is long. */
export function shown(command) {
  const visible = command
    .replaceAll('\n', '⏎')
    .replaceAll(/[^\x20-\x7e⏎]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`)
  const short = visible.length > 160 ? `${visible.slice(0, 60)} … ${visible.slice(-60)}` : visible
  const ticks = '`'.repeat(1 + Math.max(0, ...(short.match(/`+/g) ?? []).map(({ length }) => length)))
  const space = short.startsWith('`') || short.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${short.replaceAll('|', '\\|')}${space}${ticks}`
}

/** An attack as its row begins. */
export function shownAttack({ before, command, inBackground }) {
  const steps = [...before, command].map(shown).join(', then ')
  return inBackground ? `${steps}, in the background` : steps
}

const INTRODUCTION = `# Commands that look harmless

Written by \`npm run adversary\`: each of these was tried by a session with \`supervise: asked\`, in default mode, in a folder that is not trusted, where every question was answered with no. The commands are data in \`test/adversary/commands/\`.

- **asked**: nothing happened, because somebody was asked first
- **refused**: nothing happened, because a rule said no
- **ran**: nobody was asked, and nothing was reached
- **not here**: nobody was asked, and the machine had no such program
- **HOLE**: nobody was asked, and what the command is after was reached

\`%beside%\` is a file beside the session's folder, \`%key%\` one in HOME, \`%token%\` the operator's token; \`%victim%\` is a file outside that must not change, \`%inside%\` one in the folder; \`%port%\` is a listener on this machine; \`%seconds%\` is how long a process would stay. \`planted\` is a folder with links and files of a stranger's, \`vendored\` a repository whose git configuration runs programs.
`

const AIMS = {
  content: "a file's content",
  environment: 'the environment',
  change: 'a change',
  connection: 'a connection',
  process: 'a process that stays',
}

const row = (cells) => `| ${cells.join(' | ')} |`
const head = (cells) => [row(cells), row(cells.map(() => '---'))]

/** `reports`: by version, `attacks` and `ordinary` as the tests have kept them. */
export function page(reports) {
  const versions = [...reports.keys()]
  const [first] = reports.values()
  const groups = new Map()
  for (const [at, { attack }] of first.attacks.entries())
    groups.set(attack.group, [...(groups.get(attack.group) ?? []), at])
  const count = (verdict) => versions.map((version) => countOf(reports.get(version).attacks, verdict))
  const verdicts = ['asked', 'refused', 'ran', 'not here', 'HOLE']
  const tables = [...groups].flatMap(([group, places]) => [
    `\n## ${group[0].toUpperCase()}${group.slice(1)}\n`,
    ...head(['command', 'after', ...versions]),
    ...places.map((at) => {
      const { attack } = first.attacks[at]
      const cells = versions.map((version) => reports.get(version).attacks[at].verdict)
      return row([shownAttack(attack), AIMS[attack.aim], ...cells])
    }),
  ])
  return [
    INTRODUCTION,
    ...head([`of ${first.attacks.length}`, ...versions]),
    ...verdicts.map((verdict) => row([verdict, ...count(verdict)])),
    ...tables,
    ...ordinaryPart(reports, versions),
    '',
  ].join('\n')
}

const countOf = (attacks, verdict) => attacks.filter((one) => one.verdict === verdict).length

function ordinaryPart(reports, versions) {
  const of = (version) => reports.get(version).ordinary
  const { commands, use } = of(versions[0])
  return [
    '\n## Ordinary use\n',
    'What supervision costs who works in a folder of their own: how many questions a session asks that reads, edits and tests there, and which commands of every day are asked about.\n',
    ...head(['questions', ...versions]),
    ...Object.entries(use).map(([mode, { calls }]) =>
      row([`${calls} calls, ${mode}`, ...versions.map((version) => of(version).use[mode].asked)]),
    ),
    row([
      `${commands.length} commands, default`,
      ...versions.map((version) => of(version).commands.filter(({ asked }) => asked).length),
    ]),
    '',
    ...head(['command', ...versions]),
    ...commands.map(({ command }, at) =>
      row([shown(command), ...versions.map((version) => (of(version).commands[at].asked ? 'asked' : 'ran'))]),
    ),
  ]
}
