/** One figure: how we compare with a reference that is measured in the same run. One file in bench/ each. */
export interface Figure {
  /** The id of the promise, or a short name where there is none. */
  id: string
  title: string
  /** What the reference is, in a few words. */
  reference: string
  unit: 'ms' | 'MB' | 'KB' | 'MB/s' | '/s'
  /**
   * For the ratio ours / reference: at most for times and memory, at least for speeds. `oursMax` is for ours alone, in
   * the unit of the figure, where a promise names a time; the reference then tells what the machine can do. `addedMax` is for
   * what ours is more than the reference, where a promise names that besides the ratio or in its place.
   */
  goal:
    | { max: number; addedMax?: number }
    | { max?: never; addedMax: number }
    | { min: number }
    | { oursMax: number }
  run(): Promise<Samples>
}

/** Values in the unit of the figure. One each is enough where a value does not scatter. */
export interface Samples {
  ours: number[]
  reference: number[]
}

/** What is measured: the number that it returns or, when it returns none, how many milliseconds it took. */
export type Measure = () => number | void | Promise<number | void>

/**
 * Measures both in turn, so that whatever slows the machine down for a while slows both. Each goes first in
 * every other pair, so that what one leaves to collect burdens both alike. No collection is forced between
 * them: it would shrink the young generation, and its growing again would be measured instead of the work.
 */
export async function inPairs(pairs: number, ours: Measure, reference: Measure): Promise<Samples> {
  const samples: Samples = { ours: [], reference: [] }
  for (let warmUp = 0; warmUp < 3; warmUp++) {
    await ours()
    await reference()
  }
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) samples.ours.push(await valueOf(ours))
    samples.reference.push(await valueOf(reference))
    if (pair % 2 === 1) samples.ours.push(await valueOf(ours))
  }
  return samples
}

async function valueOf(measure: Measure): Promise<number> {
  const start = performance.now()
  const value = await measure()
  return value ?? performance.now() - start
}

/**
 * Turns work over so many bytes into a measure of its speed in MB/s. It counts processor time,
 * collections included, not time on the clock: other work on the machine would blur a small difference.
 */
export function speedOf(bytes: number, work: () => void | Promise<void>): Measure {
  return async () => {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    return bytes / (user + system)
  }
}
