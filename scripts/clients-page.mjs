// docs/CLIENTS.md, from what the runs of the clients have kept.
const COLUMNS = ['start', 'question', 'allow', 'deny', 'done', 'SIGTERM', 'SIGKILL']

/** One line for each client and transport; each run of it has some of the cells. */
export function linesOf(rows) {
  const lines = new Map()
  for (const row of rows.toSorted((a, b) => a.at - b.at || b.transport.localeCompare(a.transport))) {
    const key = `${row.name} ${row.transport}`
    const line = lines.get(key) ?? { ...row, cells: {} }
    lines.set(key, { ...line, refusal: row.refusal, cells: { ...line.cells, ...row.cells } })
  }
  return [...lines.values()]
}

/** Whether every client has run by each transport and in each way. */
export function isWhole(rows) {
  const RUNS_OF_ONE = 6
  return rows.length > 0 && rows.length === RUNS_OF_ONE * rows[0].of
}

export function tableOf(rows) {
  const head = [
    'client',
    'version',
    'transport',
    ...COLUMNS.map((name) => (name.startsWith('SIG') ? `restart, ${name}` : name)),
  ]
  const body = linesOf(rows).map(({ name, title, version, transport, refusal, cells }) => [
    `${title} (\`${name}\`)`,
    version,
    transport,
    ...COLUMNS.map((column) => (refusal ? `not for this client (${refusal})` : (cells[column] ?? 'not run'))),
  ])
  return [head, head.map(() => '---'), ...body]
    .map((cells) => `| ${cells.map(plain).join(' | ')} |`)
    .join('\n')
}

/** What came from a client may have anything in it; a cell is one line. */
const plain = (text) => text.replaceAll(/\s*[|\n\r]+\s*/g, ' ').slice(0, 300)

export function pageOf(rows) {
  const lines = linesOf(rows)
  const setups = new Map()
  for (const { title, setup } of lines) setups.set(setup, [...new Set([...(setups.get(setup) ?? []), title])])
  return `# Clients

Clients that others wrote, each run as its users run it, against a hub with sessions of the real CLI. A session asks twice; the parent allows the one command and denies the other.

## What you do in each

\`plexus mcp\` stands for the command of your installation, such as \`node /path/to/plexus/dist/main.js mcp\`; over HTTP the address is \`http://127.0.0.1:4445/mcp\` with \`Authorization: Bearer TOKEN\`.

| client | what to do |
|---|---|
${[...setups].map(([setup, titles]) => `| ${titles.join('; ')} | ${setup} |`).join('\n')}

## What works

Made by \`npm run test:clients\`. The clients run in a network with nothing in it but this machine, in a home of their own, against scripted models that speak their dialect.

- **start**: the model has the session's id. **question**: the result of the first call shows what would run (with forms: the form does). **allow**: the command ran. **deny**: the other did not. **done**: the user reads the session's last words.
- **restart**: the hub ends in the middle of the first call, in good order (SIGTERM) or not (SIGKILL), and another takes its place; the client still gets to the end.
- \`ok\`; \`not for this client\` with the reason; \`theirs\` where a failure is the client's own; \`FAIL\` is ours.

${tableOf(rows)}
`
}
