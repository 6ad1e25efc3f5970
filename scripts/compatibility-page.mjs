// The table of docs/COMPATIBILITY.md, from what the runs of the package have kept.
const BEGIN = '<!-- runs -->'
const END = '<!-- /runs -->'

/** The page with a table of these runs in place of the one before. */
export function compatibilityPage(page, runs) {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (before < 0 || after < before) throw new Error(`docs/COMPATIBILITY.md has no ${BEGIN} … ${END}.`)
  return `${page.slice(0, before + BEGIN.length)}\n${tableOf(runs)}\n${page.slice(after)}`
}

/** One line for each platform and Node, one column for each version of the CLI. */
function tableOf(runs) {
  const clis = [...new Set(runs.map(({ cli }) => cli))].toSorted(byVersion)
  const places = [...new Set(runs.map(placeOf))].toSorted(byVersion)
  const cell = (place, cli) =>
    runs.some((run) => placeOf(run) === place && run.cli === cli) ? 'ok' : 'not run'
  const head = ['platform', 'Node', 'SQLite', ...clis.map((cli) => `Claude Code ${cli}`)]
  const body = places.map((place) => [...place.split(' | '), ...clis.map((cli) => cell(place, cli))])
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const placeOf = ({ platform, node, sqlite }) => [platform, node, sqlite].join(' | ')

const byVersion = (a, b) => a.localeCompare(b, 'en', { numeric: true })
