import { z } from 'zod'
import type { SplitLine } from '../text/line-splitter.ts'

const maybeText = z.string().optional().catch(undefined)
const maybeNumber = z.number().optional().catch(undefined)
const flag = z.boolean().optional().catch(undefined)

/**
 * The fields of a transcript line that are read here. Every field may be missing or malformed: the CLI keeps many internal
 * kinds in the same file and changes them between versions.
 */
const TranscriptLine = z.object({
  type: z.string(),
  subtype: maybeText,
  uuid: maybeText,
  parentUuid: maybeText,
  sessionId: maybeText,
  cwd: maybeText,
  version: maybeText,
  permissionMode: maybeText,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isApiErrorMessage: flag,
  message: z
    .object({
      stop_reason: maybeText,
      content: z.union([z.string(), z.array(z.unknown())]).catch([]),
    })
    .optional()
    .catch(undefined),
  origin: z.object({ kind: maybeText }).optional().catch(undefined),
  attachment: z
    .object({
      type: maybeText,
      prompt: z
        .union([z.string(), z.array(z.unknown())])
        .optional()
        .catch(undefined),
      commandMode: maybeText,
      source_uuid: maybeText,
    })
    .optional()
    .catch(undefined),
  compactMetadata: z
    .object({ trigger: maybeText, preTokens: maybeNumber, postTokens: maybeNumber })
    .optional()
    .catch(undefined),
  durationMs: maybeNumber,
  content: maybeText,
  agentName: maybeText,
  customTitle: maybeText,
  aiTitle: maybeText,
  summary: maybeText,
  lastPrompt: maybeText,
})
export type TranscriptLine = z.infer<typeof TranscriptLine>

/** Undefined if the text is not a JSON object with a type. Never throws. */
export function parseTranscriptLine(text: string): TranscriptLine | undefined {
  try {
    return TranscriptLine.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A line of the file and its parsed form; `line` is undefined if it is malformed or too long. */
export interface ReadLine {
  split: SplitLine
  line: TranscriptLine | undefined
}

export function readLineOf(split: SplitLine): ReadLine {
  return { split, line: split.cut ? undefined : parseTranscriptLine(split.text) }
}
