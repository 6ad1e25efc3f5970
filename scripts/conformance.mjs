// npm run test:conformance -- [--write] [SCENARIO…]: the MCP conformance suite against the /mcp of a hub in a temporary
// home, for both revisions of the protocol; prints a table, and writes it to docs/CONFORMANCE.md if asked to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checksOf, fetchedSuite, scenariosOf, startedHub, SUITE } from './conformance-run.mjs'
import { SCENARIOS } from './conformance-scenarios.mjs'
import { outcomeOf, outcomeUnrun, tableOf } from './conformance-table.mjs'

const page = join(dirname(fileURLToPath(import.meta.url)), '../docs/CONFORMANCE.md')
const revisions = Object.keys(SCENARIOS)
const only = process.argv.slice(2).filter((arg) => arg !== '--write')
const write = process.argv.includes('--write')
if (write && only.length > 0) throw new Error('Only the whole table is written: leave out the scenarios.')

const folder = mkdtempSync(join(tmpdir(), 'plexus-conformance-'))
let hub
try {
  const run = fetchedSuite(folder)
  hub = await startedHub(folder)
  const outcomes = {}
  for (const revision of revisions)
    // One that is ours and not the suite's any more is tried too: the suite then says that it does not know it.
    for (const scenario of new Set([...scenariosOf(run, revision), ...SCENARIOS[revision]])) {
      if (only.length > 0 && !only.includes(scenario)) continue
      outcomes[scenario] ??= {}
      outcomes[scenario][revision] =
        outcomeUnrun(scenario, revision) ??
        outcomeOf(scenario, checksOf(run, hub, { scenario, revision, folder }))
    }
  const unknown = only.filter((scenario) => !(scenario in outcomes))
  if (unknown.length > 0) throw new Error(`The suite has no scenario ${unknown.join(', ')}.`)
  const table = tableOf(outcomes, revisions)
  console.log(table)
  if (write) writeFileSync(page, pageOf(table))
  const all = Object.values(outcomes).flatMap((by) => Object.values(by))
  const count = (word) => all.filter((outcome) => outcome.word === word).length
  console.log(`\n${count('pass')} pass, ${count('fail')} fail, ${count('not for us')} are not for us`)
  process.exitCode = count('fail') > 0 ? 1 : 0
} finally {
  await hub?.stop()
  rmSync(folder, { recursive: true, force: true })
}

function pageOf(table) {
  return `# Conformance

Made by \`npm run test:conformance -- --write\`: the scenarios for servers of \`${SUITE.join('@')}\` against \`/mcp\` of a hub, for both revisions of the protocol that it has sets of requirements for, with those of its scenarios that it does not score. In brackets: how many checks passed. All that applies to any server has to pass; the rest asks for tools, prompts and resources of the suite's own server, or for what we do not say that we have. Where we have the like (questions in rounds, progress, subscriptions), it is tested with our own tools in \`test/scenarios\`.

${table}
`
}
