import { constants } from 'node:os'

/** How a run ended. `lost` has the reason why there is no exit code. */
export type RunEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'lost'; readonly reason: LostReason }

type LostReason = 'keeper_gone' | 'run_folder_gone'

/** A shell reports a signal as 128 + its number; the CLI itself does the same for SIGTERM and SIGHUP. */
export function runEndOf(code: number): RunEnd {
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return signal ? { kind: 'killed', signal: signal[0] } : { kind: 'exited', code }
}

/** A sentence for a person, with the end of the CLI's stderr, if any. */
export function sentenceOf(end: RunEnd, stderr = ''): string {
  const said = stderr === '' ? '' : ` It said: ${stderr}`
  switch (end.kind) {
    case 'exited':
      return `Claude Code ended with exit code ${end.code}.${said}`
    case 'killed':
      return `Claude Code was ended by ${end.signal}.${said}`
    case 'lost':
      return `${LOST[end.reason]}${said}`
  }
}

const LOST: Record<LostReason, string> = {
  keeper_gone:
    'The keeper of this Claude Code process is gone (was the machine restarted?), so the process was ended.',
  run_folder_gone: 'The run folder of this Claude Code process was removed, so the process was ended.',
}
