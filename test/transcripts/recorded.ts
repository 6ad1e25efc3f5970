/** Transcripts that the real CLI writes, and some that it would not. */
import { randomUUID } from 'node:crypto'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Scenario } from '../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/demo/scripted-model.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { TranscriptIndex, type TranscriptSummary } from '../../src/transcripts/transcript-index.ts'
import { type PipedCli, startPipedCliIn } from '../rig/cli/piped-cli.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

export interface Place {
  home: string
  configFolder: string
  model: ScriptedModel
  /** Starts the CLI in a folder below the home, by default in the home itself. */
  start: (folder: string, ...args: string[]) => Promise<PipedCli>
}

/** A config folder of its own, and a model that all sessions in it talk to. */
export async function place(scenario: Scenario): Promise<Place> {
  const home = await temporaryFolder()
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  return {
    home,
    configFolder: join(home, 'config'),
    model,
    async start(folder, ...args) {
      const cwd = join(home, folder)
      await mkdir(cwd, { recursive: true })
      return await startPipedCliIn({ home, cwd }, model.url, ...args)
    },
  }
}

export function indexOf(configFolder: string, options?: { fullScanMs?: number }): TranscriptIndex {
  const index = new TranscriptIndex(configFolder, options)
  onTestFinished(() => index.close())
  return index
}

export async function newest(index: TranscriptIndex): Promise<TranscriptSummary> {
  const [first] = await index.list({ limit: 1 })
  if (!first) throw new Error('No transcript is listed.')
  return first
}

export async function eventsIn(path: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of readTranscript(path)) events.push(event)
  return events
}

/** A transcript of one's own making; `minute` orders it among the others. */
export async function write(
  configFolder: string,
  content: readonly object[] | string | Buffer,
  options: { folder?: string; minute?: number; sessionId?: string } = {},
): Promise<string> {
  const { folder = '-work', minute = 0, sessionId = randomUUID() } = options
  const path = join(configFolder, 'projects', folder, `${sessionId}.jsonl`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, Array.isArray(content) ? lines(content) : (content as string | Buffer))
  await utimes(path, 60 * minute, 60 * minute)
  return path
}

export const lines = (content: readonly object[]): string =>
  content.map((line) => `${JSON.stringify(line)}\n`).join('')

export const prompt = (text: string, more: object = {}): object => ({
  type: 'user',
  uuid: randomUUID(),
  sessionId: 'a-session',
  cwd: '/work',
  timestamp: '2026-01-02T03:04:05.000Z',
  message: { role: 'user', content: text },
  ...more,
})

export const answer = (text: string, more: object = {}): object => ({
  type: 'assistant',
  uuid: randomUUID(),
  sessionId: 'a-session',
  cwd: '/work',
  message: {
    id: randomUUID(),
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
  },
  ...more,
})
