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
  const [low, high] = intervalOf(samples, ratioOf)
  const added = 'addedMax' in figure.goal ? intervalOf(samples, addedOf) : undefined
  const goals = endsOf(figure.goal, samples, { ratios: [low, high], added })
  return {
    id: figure.id,
    title: figure.title,
    reference: figure.reference,
    unit: figure.unit,
    pairs: Math.min(ours.length, reference.length),
    oursMedian: rounded(medianOf(ours)),
    referenceMedian: rounded(medianOf(reference)),
    ratio: rounded(ratioOf(samples)),
    low: rounded(low),
    high: rounded(high),
    ...(added ? { added: roundedAdded(samples, added) } : {}),
    goal: textOf(figure),
    reached: goals.every(all) ? 'yes' : goals.some(none) ? 'no' : 'open',
  }
}

/** For each thing that the goal asks: whether the ends of its interval reach it. */
function endsOf(
  goal: Figure['goal'],
  samples: Samples,
  { ratios, added }: { ratios: readonly number[]; added: readonly number[] | undefined },
): boolean[][] {
  if ('min' in goal) return [ratios.map((value) => value >= goal.min)]
  const ours = intervalOf(samples, (drawn) => medianOf(drawn.ours))
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

function ratioOf({ ours, reference }: Samples): number {
  return medianOf(ours) / medianOf(reference)
}

function addedOf({ ours, reference }: Samples): number {
  return medianOf(ours) - medianOf(reference)
}

function roundedAdded(samples: Samples, [low, high]: readonly [number, number]) {
  return { median: rounded(addedOf(samples)), low: rounded(low), high: rounded(high) }
}

export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Bootstrap: what the medians of as many pairs say, drawn again and again from those measured. */
function intervalOf(samples: Samples, says: (drawn: Samples) => number): [number, number] {
  const pairs = Math.min(samples.ours.length, samples.reference.length)
  const said = Array.from({ length: 2000 }, () => {
    const drawn = Array.from({ length: pairs }, () => Math.floor(Math.random() * pairs))
    const of = (values: readonly number[]) => drawn.map((at) => values[at] ?? 0)
    return says({ ours: of(samples.ours), reference: of(samples.reference) })
  }).toSorted((a, b) => a - b)
  return [said[49] ?? Number.NaN, said[1949] ?? Number.NaN]
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
