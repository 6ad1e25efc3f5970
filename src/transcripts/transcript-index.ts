import type { SessionEvent } from '../events/session-event.ts'
import { readEnds } from './read-ends.ts'
import { readTranscript } from './read-transcript.ts'
import { mayContain } from './project-folder.ts'
import { type RunningSession, runningSessions } from './running-elsewhere.ts'
import { factsOf, type TranscriptFacts } from './transcript-facts.ts'
import { transcriptPathOf } from './transcript-path.ts'
import { filesAt, newerFirst, type TranscriptFile, TranscriptFiles } from './transcript-files.ts'

export interface TranscriptSummary extends TranscriptFacts {
  sessionId: string
  path: string
  updatedAt: number
  /** The process that has the session open now. */
  running?: RunningSession
}

export interface ListOptions {
  workingDirectory?: string
  limit: number
  /** The last summary of the page before. */
  before?: Pick<TranscriptSummary, 'updatedAt' | 'path'>
}

const BATCH_SIZE = 32

/**
 * The CLI's own sessions on this machine, including interactive ones. Only the transcripts of a page are opened, and only
 * once unless they change. `TranscriptFiles` says how fresh the order is; the contents of a page are always current.
 */
export class TranscriptIndex {
  readonly #configFolder: string
  readonly #files: TranscriptFiles
  /** By path. A transcript without facts is not listed. */
  readonly #known = new Map<string, { file: TranscriptFile; facts: TranscriptFacts | undefined }>()

  constructor(configFolder: string, options: { fullScanMs?: number } = {}) {
    this.#configFolder = configFolder
    this.#files = new TranscriptFiles(configFolder, options)
  }

  /** Newest first. Never throws because of the contents of a file. */
  async list({ workingDirectory, limit, before }: ListOptions): Promise<TranscriptSummary[]> {
    const running = await runningSessions(this.#configFolder)
    const files = await this.#files.newestFirst()
    const page: TranscriptSummary[] = []
    const wanted = candidates(files, workingDirectory, before)
    for (let batch = take(wanted, limit); batch.length > 0; batch = take(wanted, limit - page.length)) {
      const summaries = await Promise.all(batch.map((file) => this.#summaryOf(file, running)))
      for (const summary of summaries) {
        if (!summary) continue
        if (workingDirectory !== undefined && summary.workingDirectory !== workingDirectory) continue
        page.push(summary)
      }
    }
    return page
  }

  /** Finds a session in any project folder. */
  async find(sessionId: string): Promise<TranscriptSummary | undefined> {
    const path = await transcriptPathOf(this.#configFolder, sessionId)
    const [file] = path === undefined ? [] : await filesAt([path])
    return file && this.#summaryOf(file, await runningSessions(this.#configFolder))
  }

  async *read(sessionId: string): AsyncGenerator<SessionEvent, void> {
    const path = await transcriptPathOf(this.#configFolder, sessionId)
    if (path !== undefined) yield* readTranscript(path)
  }

  close(): void {
    this.#files.close()
  }

  async #summaryOf(
    file: TranscriptFile,
    running: ReadonlyMap<string, RunningSession>,
  ): Promise<TranscriptSummary | undefined> {
    const facts = await this.#factsOf(file)
    if (!facts) return undefined
    const { sessionId, path, mtimeMs: updatedAt } = file
    const process = running.get(sessionId)
    return { sessionId, path, ...facts, updatedAt, ...(process && { running: process }) }
  }

  async #factsOf(listed: TranscriptFile): Promise<TranscriptFacts | undefined> {
    const [file] = await filesAt([listed.path])
    if (!file) {
      this.#known.delete(listed.path)
      return undefined
    }
    const known = this.#known.get(file.path)
    if (known?.file.size === file.size && known.file.mtimeMs === file.mtimeMs) return known.facts
    const ends = await readEnds(file.path, file.size).catch(() => undefined)
    const facts = ends && factsOf(file.folderName, ends.head, ends.titles)
    this.#known.set(file.path, { file, facts })
    return facts
  }
}

function* candidates(
  files: readonly TranscriptFile[],
  workingDirectory: string | undefined,
  before: ListOptions['before'],
): Generator<TranscriptFile> {
  const last = before && { mtimeMs: before.updatedAt, path: before.path }
  for (const file of files) {
    if (last && newerFirst(file, last) <= 0) continue
    if (workingDirectory !== undefined && !mayContain(file.folderName, workingDirectory)) continue
    yield file
  }
}

function take<T>(source: Iterator<T>, count: number): T[] {
  const taken: T[] = []
  while (taken.length < Math.min(count, BATCH_SIZE)) {
    const next = source.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}
