import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where the tests are that start real processes. A long one that begins last would keep one core busy and the others idle. */
const SLOW = /\/test\/(?:adversary|scenarios|faults|upgrade|engine|demo|hub|examples\.)/

/** Otherwise the largest file would be first, unless an earlier run has recorded how long each takes. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of an array
    const sorted = await super.sort(files)
    return [true, false].flatMap((slow) => sorted.filter(({ moduleId }) => SLOW.test(moduleId) === slow))
  }
}

/** `--sequence.shuffle.files` runs them in any order, so that what one leaves to the next is found; any sequencer would prevent that. */
export const sequence = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'))
  ? {}
  : { sequencer: SlowFirst }
