import { isAtLeast } from '../text/version-order.ts'

/** A version of Claude Code whose terminal was tried with a hook that answers late. */
interface TriedVersion {
  readonly version: string
  /** Whether its dialog is on the screen, and takes keys, while the hook still runs. */
  readonly isSideBySide: boolean
}

/**
 * That dialog and hook run side by side is how these versions act, and nothing that is promised. `npm run test:cli` tries it on
 * each of them (`test/terminals/dialog-canary-cli.test.ts`) and fails where this table says something else. Oldest first.
 */
export const TRIED_VERSIONS: readonly TriedVersion[] = [
  { version: '2.1.197', isSideBySide: true },
  { version: '2.1.325', isSideBySide: true },
]

export function isTriedVersion(version: string): boolean {
  return TRIED_VERSIONS.some((tried) => tried.version === version)
}

/**
 * Whether a question of a terminal of this version may be held open while a person decides elsewhere. Where the dialog would
 * wait for the hook, a held question would hide it. A version that was not tried counts as the newest tried one before it.
 */
export function holdsDialog(version: string, tried: readonly TriedVersion[] = TRIED_VERSIONS): boolean {
  return tried.findLast((one) => isAtLeast(version, one.version))?.isSideBySide ?? false
}
