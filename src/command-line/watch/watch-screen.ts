import { AppError } from '../../base/errors.ts'
import type { ClientHub } from '../command.ts'
import { readKeys } from '../follow/terminal-keys.ts'
import type { Output } from '../output.ts'
import { questionCard } from '../views/question-views.ts'
import { changedLines } from './line-diff.ts'
import {
  initialWatchModel,
  keyPressed,
  type WatchAction,
  type WatchModel,
  withSessions,
} from './watch-model.ts'
import { watchLines } from './watch-layout.ts'

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J'
const LEAVE = '\u001B[?25h\u001B[?1049l'
const MOST = 500
/** Changes that come together are painted together. */
const PAINT_MS = 50
const TICK_MS = 1_000
const RETRY_MS = 500

/** One live screen of everything, until the person leaves. Returns the session to attach to, if they chose one. */
export async function watchScreen(
  { engine, context }: ClientHub,
  { style }: Pick<Output, 'style'>,
  homeFolder: string | undefined,
): Promise<string | undefined> {
  const over = new AbortController()
  const { stdout } = process
  let model: WatchModel = initialWatchModel
  let shown: readonly string[] = []
  let message = ''
  let chosen: string | undefined
  let timer: NodeJS.Timeout | undefined
  const paint = () => {
    timer = undefined
    const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 }
    const lines = watchLines(model, size, { now: Date.now(), homeFolder, style })
    if (message !== '') lines[size.rows - 2] = message.slice(0, size.columns)
    stdout.write(changedLines(shown, lines))
    shown = lines
  }
  const repaint = () => (timer ??= setTimeout(paint, PAINT_MS))
  const refresh = async () => {
    const [sessions, questions] = await Promise.all([
      engine.listSessions(context, { limit: MOST }),
      engine.pending(context, {}),
    ])
    model = withSessions(model, sessions, questions, Date.now())
    repaint()
    return sessions
  }
  const act = async (action: WatchAction) => {
    message = ''
    if (action.type === 'leave') over.abort()
    if (action.type === 'attach') {
      chosen = action.sessionId
      over.abort()
    }
    if (action.type === 'interrupt session') await engine.interrupt(context, { sessionId: action.sessionId })
    if (action.type === 'answer') {
      const { id: approvalId, inputSha256 } = action.question
      await engine.answer(context, { approvalId, inputSha256, ...action.answer })
    }
    if (action.type === 'show')
      message = questionCard(action.question, { now: Date.now(), homeFolder, most: 1 }).join(' ')
    if (!over.signal.aborted) await refresh()
  }
  const keys = readKeys(process.stdin, (key) => {
    const { model: next, action } = keyPressed(model, key, Date.now())
    model = next
    if (action)
      act(action).catch((error: unknown) => {
        message = error instanceof AppError ? error.message : 'It did not work.'
        void refresh().catch(() => {})
      })
    repaint()
  })
  const resized = () => {
    shown = []
    stdout.write('\u001B[2J')
    repaint()
  }
  const ticking = setInterval(repaint, TICK_MS)
  const restore = () => stdout.write(LEAVE)
  process.once('exit', restore)
  stdout.on('resize', resized)
  stdout.write(ENTER)
  try {
    await follow()
  } finally {
    clearInterval(ticking)
    clearTimeout(timer)
    stdout.off('resize', resized)
    keys.close()
    process.off('exit', restore)
    restore()
  }
  return chosen

  /** Each change of any session is read again; a hub that ends is waited for. */
  async function follow(): Promise<void> {
    const call = { ...context, signal: over.signal }
    while (!over.signal.aborted) {
      try {
        const seen = Object.fromEntries((await refresh()).map(({ id, lastSeq }) => [id, lastSeq]))
        message = ''
        await engine.waitFor(call, { seen, seconds: 50 })
      } catch (error) {
        if (over.signal.aborted) return
        message = error instanceof AppError ? error.message : 'The hub is away.'
        repaint()
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
}
