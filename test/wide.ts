/**
 * Tests that `npm test` leaves to `npm run test:cli` (those of the page to `npm run test:browser` too): each of them starts the real CLI many times, and every promise that
 * they show is shown by another test too (`guarantees.test.ts` holds that).
 */
export const WIDE: readonly string[] = [
  'test/browser/accessible.test.ts',
  'test/browser/notice-actions.test.ts',
  'test/browser/push.test.ts',
  'test/browser/races.test.ts',
  'test/browser/service-worker.test.ts',
  'test/demo/scripted-model-cli.test.ts',
  'test/engine/local-engine-cli.test.ts',
  'test/examples.test.ts',
  'test/faults/crash/child-end.test.ts',
  'test/faults/limits/disk-full-session.test.ts',
  'test/faults/input/six-tools-input.test.ts',
  'test/scenarios/clients/claude-flows.test.ts',
  'test/scenarios/command-line/demo-ends.test.ts',
  'test/scenarios/command-line/screens.test.ts',
  'test/scenarios/command-line/terminal-faults.test.ts',
  'test/scenarios/sessions/forks.test.ts',
  'test/scenarios/loopback/loopback-criteria.test.ts',
  'test/scenarios/sessions/outside-cli.test.ts',
  'test/scenarios/command-line/attach-claude-faults.test.ts',
  'test/scenarios/command-line/run-faults.test.ts',
  'test/scenarios/clients/resources.test.ts',
]
