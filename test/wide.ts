/**
 * Tests that `npm test` leaves to `npm run test:cli`: each of them starts the real CLI many times, and every promise that
 * they show is shown by another test too (`guarantees.test.ts` holds that).
 */
export const WIDE: readonly string[] = [
  'test/demo/scripted-model.test.ts',
  'test/engine/local-engine.test.ts',
  'test/examples.test.ts',
  'test/faults/child-end.test.ts',
  'test/faults/disk-full-session.test.ts',
  'test/faults/six-tools-input.test.ts',
  'test/scenarios/claude-flows.test.ts',
  'test/scenarios/forks.test.ts',
  'test/scenarios/loopback-criteria.test.ts',
  'test/scenarios/outside-cli.test.ts',
  'test/scenarios/resources.test.ts',
]
