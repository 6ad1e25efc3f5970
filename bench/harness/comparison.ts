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
  goal: string
  /** `open`: the interval has the goal inside, so the run does not tell. */
  reached: 'yes' | 'no' | 'open'
}

export function comparisonOf(figure: Figure, samples: Samples): Comparison {
  const { ours, reference } = samples
  const [low, high] = intervalOf(samples)
  const judged = 'oursMax' in figure.goal ? intervalOf({ ours, reference: ours.map(() => 1) }) : [low, high]
  const ends = judged.map((value) => reaches(figure.goal, value))
  return {
    id: figure.id,
    title: figure.title,
    reference: figure.reference,
    unit: figure.unit,
    pairs: Math.min(ours.length, reference.length),
    oursMedian: rounded(medianOf(ours)),
    referenceMedian: rounded(medianOf(reference)),
    ratio: rounded(medianOf(ours) / medianOf(reference)),
    low: rounded(low),
    high: rounded(high),
    goal: textOf(figure),
    reached: ends.every(Boolean) ? 'yes' : ends.some(Boolean) ? 'open' : 'no',
  }
}

function reaches(goal: Figure['goal'], value: number): boolean {
  if ('min' in goal) return value >= goal.min
  return value <= ('max' in goal ? goal.max : goal.oursMax)
}

function textOf({ goal, unit }: Figure): string {
  if ('oursMax' in goal) return `ours ≤ ${goal.oursMax} ${unit}`
  return 'max' in goal ? `≤ ${goal.max}` : `≥ ${goal.min}`
}

export function medianOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Bootstrap: the ratio of the medians of as many pairs, drawn again and again from those measured. */
function intervalOf({ ours, reference }: Samples): [number, number] {
  const pairs = Math.min(ours.length, reference.length)
  const ratios = Array.from({ length: 2000 }, () => {
    const drawn = Array.from({ length: pairs }, () => Math.floor(Math.random() * pairs))
    return medianOf(drawn.map((at) => ours[at] ?? 0)) / medianOf(drawn.map((at) => reference[at] ?? 0))
  }).toSorted((a, b) => a - b)
  return [ratios[49] ?? Number.NaN, ratios[1949] ?? Number.NaN]
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
