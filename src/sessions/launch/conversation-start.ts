import { AppError } from '../../base/errors.ts'
import type { Session } from '../record/session.ts'
import type { HubEnvironment } from './hub-environment.ts'

/** How a process begins its conversation. */
export type ConversationStart =
  | { kind: 'new' }
  | { kind: 'resume'; transcript: string }
  | { kind: 'fork'; from: string; at?: string | undefined; transcript?: string | undefined }

/** Resumes a conversation that the CLI has; forks (again) if a fork has none yet; otherwise begins a new conversation. */
export async function conversationStart(
  session: Session,
  environment: HubEnvironment,
): Promise<ConversationStart> {
  // It had no prompt before, so the CLI cannot know it.
  if (session.origin.kind === 'new' && session.lastSeq === 0) return { kind: 'new' }
  const transcript = await environment.transcriptOf(session.cliSessionId)
  if (transcript !== undefined) {
    await requireClosed(session.cliSessionId, environment)
    return { kind: 'resume', transcript }
  }
  if (session.origin.kind !== 'fork') return { kind: 'new' }
  return { ...session.origin, transcript: await environment.transcriptOf(session.origin.from) }
}

/** The CLI takes no lock: two processes in one conversation would write into the same file. */
async function requireClosed(cliSessionId: string, { openElsewhere }: HubEnvironment): Promise<void> {
  const pid = await openElsewhere(cliSessionId)
  if (pid === undefined) return
  throw new AppError(
    'in_use',
    `This conversation is open in another Claude Code process (pid ${pid}); end that process, or fork the session to continue in a copy.`,
  )
}
