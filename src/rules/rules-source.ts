import type { LoadedRules } from './rules-file.ts'

/** The rules at this moment. */
export interface RulesNow {
  /** With a fault: the last rules that could be read. */
  readonly rules: LoadedRules
  /** Why the file cannot be used, as a sentence; then its rules ask about whatever they decide, and only `forbid` still refuses. */
  readonly fault?: string | undefined
}
