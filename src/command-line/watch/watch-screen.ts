import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub } from '../command.ts'
import { Deliveries } from '../follow/deliveries.ts'
import { asked, unread, withEdited } from '../dialog/dialog.ts'
import { withOffers } from '../dialog/dialog-offers.ts'
import { readOffers } from '../follow/read-offers.ts'
import type { FollowOptions } from '../follow/follow-session.ts'
import { HeldTerminal } from '../terminal/held-terminal.ts'
import { BARE_LOOK } from '../terminal/terminal-look.ts'
import type { FileChange } from '../../preview/file-change.ts'
import { logLines } from '../views/log-lines.ts'
import { questionId } from '../views/question-views.ts'
import { changedLines, placedCursor } from './line-diff.ts'
import { WatchFeed } from './watch-feed.ts'
import { keyPressed, type WatchAction } from './watch-keys.ts'
import { watchCursor, watchLines } from './watch-layout.ts'
import { initialWatchModel, selectedIn, type WatchModel, withPresence, withSessions } from './watch-model.ts'

/** No row may reach into the next one, however wide the terminal paints a character. */
const ENTER = '\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[2J'
const LEAVE = '\u001B[?7h\u001B[?25h\u001B[?1049l'
const TICK_MS = 1_000
const RECENT = 40

export type WatchOptions = Omit<FollowOptions, 'after'>

/** One live screen of everything, until the person leaves. Returns the session to attach to, if they chose one. */
export async function watchScreen(client: ClientHub, options: WatchOptions): Promise<string | undefined> {
  const screen = new WatchScreen(client, options)
  return screen.run()
}

class WatchScreen {
  readonly #client: ClientHub
  readonly #options: WatchOptions
  readonly #over = new AbortController()
  readonly #deliveries: Deliveries
  readonly #feed: WatchFeed
  #model: WatchModel
  #shown: readonly string[] = []
  #cursor = ''
  #held: HeldTerminal | undefined
  #isPainting = false
  /** Not while an editor or the shell has the terminal: nothing is painted over it. */
  #isOurs = false
  #chosen: string | undefined
  /** Read for the question, or the session, that is on the screen. */
  #change: { readonly id: string; readonly change: FileChange | undefined } | undefined
  #recent: { readonly id: string; readonly lines: readonly string[] } | undefined

  constructor(client: ClientHub, options: WatchOptions) {
    this.#client = client
    this.#options = options
    this.#deliveries = new Deliveries(client)
    this.#model = initialWatchModel(options.edit !== undefined)
    this.#feed = new WatchFeed(client, (sessions, questions) =>
      this.#become(withSessions(this.#model, sessions, questions, Date.now())),
    )
  }

  async run(): Promise<string | undefined> {
    const { stdout, stdin } = process
    // Without a hub there is nothing to watch, and no screen to leave.
    await this.#feed.readAll()
    const onResize = () => this.#paintAll()
    const deaf = this.#client.presence?.listen(() => this.#presenceChanged())
    const ticking = setInterval(() => this.#tick(), TICK_MS)
    stdout.on('resize', onResize)
    this.#held = new HeldTerminal(stdin, {
      onKey: (key) => {
        const { model, action } = keyPressed(this.#model, key, Date.now())
        this.#become(model)
        if (action) this.#act(action).catch((error: unknown) => this.#failed(error))
      },
      onTake: () => {
        this.#isOurs = true
        stdout.write(ENTER)
        this.#paintAll()
      },
      onRelease: () => {
        this.#isOurs = false
        stdout.write(LEAVE)
      },
      onGone: () => this.#over.abort(),
    })
    try {
      await this.#feed.run(this.#over.signal)
    } finally {
      deaf?.()
      clearInterval(ticking)
      stdout.off('resize', onResize)
      this.#held.close()
    }
    return this.#chosen
  }

  #become(model: WatchModel): void {
    this.#model = model
    void this.#readAround()
    if (this.#isPainting) return
    this.#isPainting = true
    setImmediate(() => {
      this.#isPainting = false
      this.#paint()
    })
  }

  #paintAll(): void {
    this.#shown = []
    this.#paint()
  }

  #paint(): void {
    if (this.#over.signal.aborted || !this.#isOurs) return
    const { stdout } = process
    const { homeFolder, look = BARE_LOOK } = this.#options
    const { dialog, selected } = this.#model
    // The last column stays empty: what ends a row would erase it there.
    const size = { columns: (stdout.columns || 80) - 1, rows: stdout.rows || 24 }
    const lines = watchLines(this.#model, size, {
      now: Date.now(),
      homeFolder,
      look,
      change: this.#change?.id === dialog.question?.id ? this.#change?.change : undefined,
      recent: this.#recent?.id === selected ? this.#recent?.lines : undefined,
    })
    const changed = changedLines(this.#shown, lines)
    const cursor = placedCursor(watchCursor(this.#model, size, look))
    // What is written moves the cursor, so it is placed again.
    if (changed !== '' || cursor !== this.#cursor) stdout.write(changed + cursor)
    this.#shown = lines
    this.#cursor = cursor
  }

  #tick(): void {
    this.#become(this.#model)
    void this.#reportArrived()
  }

  #presenceChanged(): void {
    const awaySince = this.#client.presence?.awaySince
    this.#become(withPresence(this.#model, awaySince, Date.now()))
    if (awaySince !== undefined) void this.#feed.readUntilBack(this.#over.signal)
  }

  #failed(error: unknown): void {
    const message = error instanceof AppError ? error.message : 'It did not work.'
    this.#become({ ...this.#model, message: `! ${message}` })
  }

  async #act(action: WatchAction): Promise<void> {
    const { engine, context } = this.#client
    switch (action.type) {
      case 'leave':
        return this.#over.abort()
      case 'attach':
        this.#chosen = action.sessionId
        return this.#over.abort()
      case 'interrupt':
        await engine.interrupt(context, { sessionId: action.sessionId })
        return
      case 'extend':
        await engine.extend(context, { approvalId: action.question.id })
        return this.#feed.readAll()
      case 'read offers': {
        const offered = await readOffers(this.#client, action.question)
        const dialog = withOffers(this.#model.dialog, action.question, offered)
        return this.#become({ ...this.#model, dialog })
      }
      case 'edit':
        return this.#edit(action.question)
      case 'answer all': {
        const { questions, approve } = action
        await engine.answerAll(context, {
          questions: questions.map(({ id, inputSha256 }) => ({ approvalId: id, inputSha256, approve })),
        })
        for (const question of questions) this.#deliveries.add(question)
        this.#become({
          ...this.#model,
          message: `${questions.map(questionId).join(', ')}: answered together`,
        })
        return this.#reportArrived()
      }
      case 'answer': {
        const { question, answer } = action
        try {
          await engine.answer(context, {
            approvalId: question.id,
            inputSha256: question.inputSha256,
            ...answer,
          })
        } catch (error) {
          const { dialog } = this.#model
          if (dialog.question?.id === question.id)
            this.#become({ ...this.#model, dialog: asked(dialog, Date.now()) })
          throw error
        }
        this.#deliveries.add(question)
        this.#become({ ...this.#model, message: `${questionId(question)} is answered` })
        return this.#reportArrived()
      }
    }
  }

  async #edit(question: PendingQuestion): Promise<void> {
    const { edit } = this.#options
    const edited = edit && (await this.#held?.lend(() => edit(question)))
    const { dialog } = this.#model
    if (edited !== undefined && dialog.question?.id === question.id)
      this.#become({ ...this.#model, dialog: withEdited(dialog, edited, Date.now()) })
  }

  async #reportArrived(): Promise<void> {
    const lines = await this.#deliveries.arrived()
    if (lines.length > 0) this.#become({ ...this.#model, message: lines.join('; ') })
  }

  /** What the screen shows of the selected question and session besides the lists. */
  async #readAround(): Promise<void> {
    const { question } = this.#model.dialog
    const listed = selectedIn(this.#model)
    if (question && this.#change?.id !== question.id) {
      this.#change = { id: question.id, change: undefined }
      const { engine, context } = this.#client
      const change = await engine.previewChange(context, { approvalId: question.id }).catch(() => undefined)
      if (change && this.#model.dialog.question?.id === question.id) {
        this.#change = { id: question.id, change }
        // The screen shows something else now.
        this.#become({ ...this.#model, dialog: unread(this.#model.dialog, Date.now()) })
      }
    }
    if (listed && this.#model.view === 'detail' && this.#recent?.id !== listed.session.id) {
      const { id, lastSeq } = listed.session
      this.#recent = { id, lines: [] }
      const { engine, context } = this.#client
      const page = await engine
        .readEvents(context, { sessionId: id, after: Math.max(0, lastSeq - RECENT) })
        .catch(() => undefined)
      this.#recent = {
        id,
        lines: page?.events.flatMap((stored) => logLines(stored, this.#options.homeFolder)) ?? [],
      }
      this.#become(this.#model)
    }
    if (this.#model.view !== 'detail') this.#recent = undefined
  }
}
