// What came of the conformance suite, as a table: a row for each scenario, and for each single check that is not for us.
import { CHECKS_NOT_FOR_US, NOT_FOR_US, SCENARIOS } from './conformance-scenarios.mjs'

/** What can be said of a scenario without running it: undefined if it is ours to pass. */
export function outcomeUnrun(scenario, revision) {
  const isOurs = SCENARIOS[revision].includes(scenario)
  const reason = NOT_FOR_US[scenario]
  if (isOurs) return reason === undefined ? undefined : fail('It is listed as for us and as not for us.')
  return reason === undefined ? fail(UNKNOWN) : { word: 'not for us', reason }
}

/** A check that is listed as not for us has to fail: once it passes, or is gone, the list is wrong. */
export function outcomeOf(scenario, checks) {
  const besides = CHECKS_NOT_FOR_US[scenario] ?? {}
  const [passed, failed, warned] = ['SUCCESS', 'FAILURE', 'WARNING'].map((status) =>
    checks.filter((check) => check.status === status),
  )
  const wrong = failed.filter(({ id }) => !(id in besides))
  const stale = Object.keys(besides).filter((id) => !failed.some((check) => check.id === id))
  const reason = [
    ...[...wrong, ...warned].map(({ id, errorMessage = '' }) => `${id}: ${errorMessage}`),
    ...stale.map((id) => `${id} is listed as not for us, and did not fail`),
  ].join('; ')
  if (wrong.length > 0 || stale.length > 0) return fail(reason)
  return passed.length === 0 ? fail('Nothing was checked.') : { word: 'pass', checks: passed.length, reason }
}

function fail(reason) {
  return { word: 'fail', reason }
}

/** `outcomes`: of each scenario, by revision. */
export function tableOf(outcomes, revisions) {
  const rows = Object.entries(outcomes)
    .toSorted(([, a], [, b]) => rankOf(a) - rankOf(b))
    .flatMap(([scenario, by]) => [
      [scenario, ...revisions.map((one) => cellOf(by[one])), reasonOf(by)],
      ...Object.entries(CHECKS_NOT_FOR_US[scenario] ?? {}).map(([id, reason]) => [
        `${scenario}: ${id}`,
        ...revisions.map((one) => (by[one] ? 'not for us' : '')),
        reason,
      ]),
    ])
  const head = ['scenario', ...revisions, 'why']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function rankOf(by) {
  return Math.min(...Object.values(by).map(({ word }) => ['fail', 'pass', 'not for us'].indexOf(word)))
}

function cellOf(outcome) {
  if (!outcome) return ''
  return outcome.checks === undefined ? outcome.word : `${outcome.word} (${outcome.checks})`
}

function reasonOf(by) {
  const reasons = new Set(
    Object.values(by).map(({ reason }) => reason.replaceAll('|', '\\|').replaceAll('\n', ' ')),
  )
  return [...reasons].filter(Boolean).join('; ')
}

const UNKNOWN = 'Nobody has said whether this is for us: see scripts/conformance-scenarios.mjs.'
