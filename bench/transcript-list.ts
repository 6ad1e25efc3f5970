import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TranscriptIndex } from '../src/transcripts/transcript-index.ts'
import { inPairs, type Figure } from './harness/figure.ts'

const [MANY, FEW, PAGE] = [10_000, 10, 10]

/** Warm: each index has listed before and nothing changed since. The first list of each is told on stderr. */
export const figure: Figure = {
  id: 'P9',
  title: `first page of ${MANY.toLocaleString('en')} past sessions`,
  reference: `of ${FEW}`,
  unit: 'ms',
  goal: { max: 1.5 },
  async run() {
    const root = mkdtempSync(join(tmpdir(), 'plexus-bench-'))
    try {
      const many = new TranscriptIndex(configFolderWith(root, MANY, 100))
      const few = new TranscriptIndex(configFolderWith(root, FEW, FEW))
      for (const [count, index] of [
        [MANY, many],
        [FEW, few],
      ] as const)
        console.error(`  the first list of ${count}: ${(await timed(() => firstPage(index))).toFixed(1)} ms`)
      return await inPairs(
        300,
        () => firstPage(many),
        () => firstPage(few),
      )
    } finally {
      rmSync(root, { recursive: true })
    }
  },
}

async function firstPage(index: TranscriptIndex): Promise<void> {
  const page = await index.list({ limit: PAGE })
  if (page.length !== PAGE) throw new Error(`The page has ${page.length} rows in place of ${PAGE}.`)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Short sessions of some 10 kB, evenly over the folders, a minute apart. */
function configFolderWith(root: string, count: number, folders: number): string {
  const config = join(root, String(count))
  for (let at = 0; at < count; at++) {
    const project = `/home/someone/project ${at % folders}`
    const folder = join(config, 'projects', project.replaceAll(/[^A-Za-z0-9]/g, '-'))
    if (at < folders) mkdirSync(folder, { recursive: true })
    const sessionId = randomUUID()
    const path = join(folder, `${sessionId}.jsonl`)
    writeFileSync(path, transcript(sessionId, project))
    utimesSync(path, 60 * at, 60 * at)
  }
  return config
}

function transcript(sessionId: string, cwd: string): string {
  const about = {
    sessionId,
    cwd,
    isSidechain: false,
    timestamp: '2026-01-02T03:04:05.000Z',
    gitBranch: 'main',
  }
  const said = {
    type: 'assistant',
    ...about,
    message: { content: [{ type: 'text', text: 'word '.repeat(200) }] },
  }
  const asked = { type: 'user', ...about, message: { role: 'user', content: 'Look at the tests.' } }
  return [asked, ...Array.from({ length: 8 }, () => said), { type: 'ai-title', aiTitle: 'Tests', sessionId }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
