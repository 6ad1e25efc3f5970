import { mayContain } from './project-folder.ts'
import { parseTranscriptLine, type TranscriptLine } from './transcript-line.ts'
import { textOf, userLineOf } from './user-line.ts'

/** What the two ends of a transcript say about its session. */
export interface TranscriptFacts {
  workingDirectory: string
  title: string
}

/** The data from the head of a transcript; the titles of both ends are in `Titles`. */
export interface Head {
  workingDirectories: string[]
  prompt?: string
  /** Used if the head has no typed prompt: a command, or the queue's copy of a prompt. */
  otherPrompt?: string
}

const TITLES = ['agentName', 'customTitle', 'aiTitle', 'summary', 'lastPrompt'] as const
export type Titles = Partial<Record<(typeof TITLES)[number], string>>

/** Parses complete lines at the start of a transcript. */
export function headOf(text: string): Head {
  const head: Head = { workingDirectories: [] }
  for (const part of text.split('\n')) {
    const line = parseTranscriptLine(part)
    if (line) addLine(head, line)
  }
  return head
}

/** Parses only lines that contain one of the fields, because the others may be long and many. */
export function titlesOf(text: string): Titles {
  const titles: Titles = {}
  for (const part of text.split('\n')) {
    const line = TITLE_LINE.test(part) ? parseTranscriptLine(part) : undefined
    for (const name of TITLES) {
      const value = line?.type === TYPE_OF[name] ? line[name] : undefined
      if (value !== undefined) titles[name] = value
    }
  }
  return titles
}

const TITLE_LINE = /"(agentName|customTitle|aiTitle|summary|lastPrompt)"/
const TYPE_OF = {
  agentName: 'agent-name',
  customTitle: 'custom-title',
  aiTitle: 'ai-title',
  summary: 'summary',
  lastPrompt: 'last-prompt',
}

/** Undefined if the main conversation has no message: the CLI could not resume it either. */
export function factsOf(folderName: string, head: Head, titles: Titles): TranscriptFacts | undefined {
  const { workingDirectories } = head
  // A fork starts with the lines of its origin, which may be from another folder.
  const matching = workingDirectories.find((directory) => mayContain(folderName, directory))
  const workingDirectory = matching ?? workingDirectories[0]
  if (workingDirectory === undefined) return undefined
  const firstPrompt = shortened(head.prompt || head.otherPrompt || titles.lastPrompt)
  const { agentName, customTitle, aiTitle, summary } = titles
  const title = shortened(agentName || customTitle || aiTitle || summary) ?? firstPrompt ?? 'No prompt'
  return { workingDirectory, title }
}

function addLine(head: Head, line: TranscriptLine): void {
  if (line.type === 'queue-operation' && line.content && !line.content.startsWith('<'))
    head.otherPrompt ??= line.content
  if (!line.message || line.isSidechain) return
  if (line.cwd && !head.workingDirectories.includes(line.cwd)) head.workingDirectories.push(line.cwd)
  if (line.type !== 'user') return
  const user = userLineOf(line)
  if (user.kind === 'prompt') head.prompt ||= textOf(user.content)
  if (user.kind === 'command') head.otherPrompt ??= user.content
}

/** A single line for a list. */
function shortened(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, 2 * MAX_TITLE)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (!line) return undefined
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1)}…`
}

const MAX_TITLE = 300
