/** The table of folders, and the list of mutants that no test noticed. */
import { dirname } from 'node:path'

const COLUMNS = ['mutants', 'killed', 'timeout', 'survived', 'no coverage', 'equivalent']

/** @param {readonly { file: string, status: string }[]} mutants @returns {{ folder: string, score: number }[]} */
export function foldersOf(mutants) {
  const folders = new Map()
  for (const mutant of mutants) {
    const folder = dirname(mutant.file)
    folders.set(folder, [...(folders.get(folder) ?? []), mutant])
  }
  return [...folders]
    .map(([folder, all]) => rowOf(folder, all))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

function rowOf(folder, all) {
  const count = (status) => all.filter((mutant) => mutant.status === status).length
  const counts = Object.fromEntries(
    COLUMNS.map((name) => [name, name === 'mutants' ? all.length : count(name)]),
  )
  const counted = counts.mutants - counts.equivalent
  const noticed = counts.killed + counts.timeout
  return { folder, ...counts, score: counted === 0 ? 100 : (100 * noticed) / counted }
}

export function tableOf(rows) {
  const head = ['folder', ...COLUMNS, 'score']
  const cells = rows.map((row) => [
    row.folder,
    ...COLUMNS.map((name) => `${row[name]}`),
    row.score.toFixed(1),
  ])
  const widths = head.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at].length)))
  const line = (row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  ')
  return [head, ...cells].map(line).join('\n')
}

/** Each with what equivalent.json would need to name it. */
export function survivorsOf(mutants) {
  return mutants
    .filter(({ status }) => status === 'survived' || status === 'no coverage')
    .map(
      ({ file, lineNumber, status, mutator, line, original, replacement }) =>
        `${file}:${lineNumber} ${status} ${mutator}\n  line: ${line}\n  - ${original}\n  + ${replacement}\n`,
    )
    .join('\n')
}
