/**
 * How many examples a property test tries. Each run of the tests tries other ones, so a quarter of them is enough there;
 * `npm run test:long` tries all.
 */
export function runs(all: number): number {
  return process.env['PLEXUS_LONG'] === undefined ? Math.ceil(all / 4) : all
}
