import type { Figure, Samples } from './figure.ts'

/** A figure as it came out: what the table shows and results.json keeps. */
export interface Comparison {
  id: string
  title: string
  reference: string
  unit: string
  pairs: number
  oursMedian: number
  referenceMedian: number
  /** Ours / reference. */
  ratio: number
  /** Where the ratio lies with 95 % confidence; with one value each it is the ratio itself. */
  low: number
  high: number
  /** Ours - reference, and where it lies with 95 % confidence, where the goal names it. */
  added?: { median: number; low: number; high: number }
  goal: string
  /** `open`: the interval has the goal inside, so the run does not tell. */
  reached: 'yes' | 'no' | 'open'
}

export function comparisonOf(figure: Figure, samples: Samples): Comparison {
  const { ours, reference } = samples
  const measured = mediansOf(samples)
  const drawn = drawnAgain(samples)
  const [low, high] = intervalOf(drawn.map(ratioOf))
  const added = 'addedMax' in figure.goal ? intervalOf(drawn.map(addedOf)) : undefined
  const goals = endsOf(figure.goal, {
    ratios: [low, high],
    added,
    ours: intervalOf(drawn.map((one) => one.ours)),
  })
  return {
    id: figure.id,
    title: figure.title,
    reference: figure.reference,
    unit: figure.unit,
    pairs: Math.min(ours.length, reference.length),
    oursMedian: rounded(measured.ours),
    referenceMedian: rounded(measured.reference),
    ratio: rounded(ratioOf(measured)),
    low: rounded(low),
    high: rounded(high),
    ...(added ? { added: roundedAdded(measured, added) } : {}),
    goal: textOf(figure),
    reached: goals.every(all) ? 'yes' : goals.some(none) ? 'no' : 'open',
  }
}

/** For each thing that the goal asks: whether the ends of its interval reach it. */
function endsOf(
  goal: Figure['goal'],
  {
    ratios,
    added,
    ours,
  }: { ratios: readonly number[]; added: readonly number[] | undefined; ours: readonly number[] },
): boolean[][] {
  if ('min' in goal) return [ratios.map((value) => value >= goal.min)]
  if ('oursMax' in goal) return [ours.map((value) => value <= goal.oursMax)]
  const { max = Infinity, addedMax = Infinity } = goal
  const ends = [ratios.map((value) => value <= max)]
  return added ? [...ends, added.map((value) => value <= addedMax)] : ends
}

const all = (ends: readonly boolean[]) => ends.every(Boolean)
const none = (ends: readonly boolean[]) => !ends.some(Boolean)

function textOf({ goal, unit }: Figure): string {
  if ('oursMax' in goal) return `ours ≤ ${goal.oursMax} ${unit}`
  if ('min' in goal) return `≥ ${goal.min}`
  const ratio = goal.max === undefined ? [] : [`≤ ${goal.max}`]
  const added = goal.addedMax === undefined ? [] : [`≤ ${goal.addedMax} ${unit} added`]
  return [...ratio, ...added].join(', ')
}

interface Medians {
  readonly ours: number
  readonly reference: number
}

function mediansOf({ ours, reference }: Samples): Medians {
  return { ours: medianOf(ours), reference: medianOf(reference) }
}

function ratioOf({ ours, reference }: Medians): number {
  return ours / reference
}

function addedOf({ ours, reference }: Medians): number {
  return ours - reference
}

function roundedAdded(measured: Medians, [low, high]: readonly [number, number]) {
  return { median: rounded(addedOf(measured)), low: rounded(low), high: rounded(high) }
}

export function medianOf(values: number[]): number {
  const sorted = Float64Array.from(values).toSorted()
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Bootstrap: what the medians of as many pairs say, drawn again and again from those measured. */
function drawnAgain(samples: Samples): Medians[] {
  const pairs = Math.min(samples.ours.length, samples.reference.length)
  return Array.from({ length: 2000 }, () => {
    const drawn = Array.from({ length: pairs }, () => Math.floor(Math.random() * pairs))
    const of = (values: readonly number[]) => drawn.map((at) => values[at] ?? 0)
    return mediansOf({ ours: of(samples.ours), reference: of(samples.reference) })
  })
}

/** Where 95 % of 2000 values lie. */
function intervalOf(values: readonly number[]): [number, number] {
  const sorted = Float64Array.from(values).toSorted()
  return [sorted[49] ?? Number.NaN, sorted[1949] ?? Number.NaN]
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
