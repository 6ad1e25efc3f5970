import { withTimeout } from '../../async/with-timeout.ts'
import type { Session } from '../../sessions/record/session.ts'
import { wordLines } from '../../text/word-lines.ts'
import type { ClientHub } from '../command.ts'
import { HeldTerminal } from '../terminal/held-terminal.ts'
import { BARE_LOOK, type TerminalLook } from '../terminal/terminal-look.ts'
import { typedName } from '../views/session-words.ts'
import { FooterScreen, untilEnded } from './follow-screen.ts'
import { type EditInput, FollowedSession, type OnlyTurn } from './followed-session.ts'
import { LendableScreen } from './lendable-screen.ts'
import { PlainScreen } from './plain-screen.ts'

export interface FollowOptions {
  readonly homeFolder: string | undefined
  /** The log after this seq is printed. */
  readonly after: number
  readonly look?: TerminalLook | undefined
  /** Opens the input of a call in an editor; without it, editing is not offered. */
  readonly edit?: EditInput | undefined
  /** Only the questions of the turn are answered: nothing is sent, Ctrl-C leaves at once, and the end of the turn ends it too. Events of the hidden types are not printed. */
  readonly onlyTurn?: OnlyTurn | undefined
}

/**
 * Follows a session at a terminal: prints what happens, asks where the person is, and sends what they type. Returns when they
 * leave, or with `onlyTurn` when the turn has ended. A hub that ends meanwhile is waited for; the session and its questions
 * are where they were.
 */
export async function followSession(
  client: ClientHub,
  session: Session,
  { homeFolder, after, look = BARE_LOOK, edit, onlyTurn }: FollowOptions,
): Promise<'left' | 'turn ended'> {
  const { stderr, stdin } = process
  const over = new AbortController()
  onlyTurn?.signal.addEventListener('abort', () => over.abort(), { once: true })
  if (onlyTurn?.signal.aborted) over.abort()
  const screen = look.isPlain ? new PlainScreen(stderr, look) : new FooterScreen(stderr, look)
  const ended = new AbortController()
  const lendable = new LendableScreen(screen)
  const shown = untilEnded(lendable, ended.signal)
  const followed = new FollowedSession({
    client,
    session,
    screen: shown,
    homeFolder,
    look,
    over,
    edit,
    onlyTurn,
  })
  const held = new HeldTerminal(stdin, {
    onKey: (key) => followed.press(key),
    onRelease: () => lendable.lend(),
    onTake: () => {
      lendable.take()
      followed.paint()
    },
    onGone: () => over.abort(),
  })
  followed.lend = (work) => held.lend(work)
  const onResize = () => shown.resized()
  const ticking = setInterval(() => followed.tick(), TICK_MS)
  const deaf = client.presence?.listen(() => followed.presenceChanged())
  stderr.on('resize', onResize)
  try {
    await followed.run(after)
  } finally {
    deaf?.()
    clearInterval(ticking)
    stderr.off('resize', onResize)
    ended.abort()
    held.close()
    // The hub may still be at what the person asked for last, such as an interrupt.
    await withTimeout(followed.settled(), LAST_WORK_MS, undefined)
    const lines = wordLines(
      leavingSentence(typedName(session), followed.isInTerminal),
      (stderr.columns || 80) - 1,
    )
    if (!onlyTurn) stderr.write(`${lines.join('\n')}\n`)
  }
  return followed.hasEnded ? 'turn ended' : 'left'
}

function leavingSentence(name: string, isInTerminal: boolean): string {
  if (isInTerminal)
    return `${name} is open in a terminal now. plexus attach ${name} comes back when that has ended.`
  return `${name} keeps running. plexus attach ${name} comes back; plexus stop ${name} ends it.`
}

const TICK_MS = 1_000
const LAST_WORK_MS = 2_000
