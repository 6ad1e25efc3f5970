import type { Command, EventOf } from '../../events/session-event.ts'
import type { ConversationStart } from './conversation-start.ts'

export type Content = EventOf<'prompt.accepted'>['content']

/** What can be said to a session: a prompt, or a command of the CLI. */
export type Utterance = Content | { readonly command: Command }

export interface Said {
  readonly promptId: string
  /** A turn is running: the message is folded into it or waits for the next. */
  readonly queued: boolean
  /** `warm`: it went into a living process. Otherwise how the new process begins its conversation. */
  readonly process: 'warm' | ConversationStart['kind']
}

/** The utterance as it is stored. */
export function promptOf(said: Utterance): Pick<EventOf<'prompt.accepted'>, 'content' | 'command'> {
  if (typeof said === 'string' || !('command' in said)) return { content: said }
  return { content: `/${said.command}`, command: said.command }
}
