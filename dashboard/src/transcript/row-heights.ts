/**
 * The heights of many rows, measured or estimated, and where each begins. To find a row by its place, or to change a height,
 * takes as many steps as the count has binary digits (a Fenwick tree), so that a list of 10,000 scrolls like one of 10.
 */
export class RowHeights {
  readonly #estimate: number
  readonly #heights: number[] = []
  /** Counted from 1: entry `i` is the sum of as many rows up to `i` as its lowest bit says. */
  readonly #sums: number[] = [0]

  constructor(estimate: number) {
    this.#estimate = estimate
  }

  get count(): number {
    return this.#heights.length
  }

  get total(): number {
    return this.before(this.count)
  }

  /** Adds rows at the end, as high as estimated, until there are so many. */
  grow(count: number): void {
    while (this.#heights.length < count) {
      this.#heights.push(this.#estimate)
      const place = this.#heights.length
      let sum = this.#estimate
      for (let span = 1; span < lowestBit(place); span *= 2) sum += this.#sums[place - span] ?? 0
      this.#sums.push(sum)
    }
  }

  set(index: number, height: number): void {
    const change = height - (this.#heights[index] ?? height)
    if (change === 0) return
    this.#heights[index] = height
    for (let place = index + 1; place <= this.count; place += lowestBit(place))
      this.#sums[place] = (this.#sums[place] ?? 0) + change
  }

  /** Where the row begins: the height of all before it. */
  before(index: number): number {
    let sum = 0
    for (let place = Math.min(index, this.count); place > 0; place -= lowestBit(place))
      sum += this.#sums[place] ?? 0
    return sum
  }

  /** The row that covers this place; the first or the last for a place outside. */
  indexAt(offset: number): number {
    let [index, left] = [0, offset]
    for (let span = 2 ** Math.floor(Math.log2(Math.max(this.count, 1))); span >= 1; span /= 2) {
      const sum = this.#sums[index + span]
      if (sum === undefined || sum > left) continue
      index += span
      left -= sum
    }
    return Math.max(0, Math.min(index, this.count - 1))
  }
}

function lowestBit(number: number): number {
  return number & -number
}
