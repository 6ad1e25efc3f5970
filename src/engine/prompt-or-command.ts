import type { Caller } from '../callers/access-rules.ts'
import { AppError } from '../base/errors.ts'
import type { Command } from '../events/session-event.ts'
import type { Content } from '../sessions/launch/prompt-kinds.ts'

/** Exactly one of the two. */
export interface PromptOrCommand {
  /** Reaches the model unchanged: nothing in it is resolved, run or loaded. */
  readonly content?: Content | undefined
  readonly command?: Command | undefined
}

/** The one that is given; `field` is the name of the prompt field in the caller's API. */
export function promptOrCommand(
  field: 'content' | 'message' | 'prompt',
  { content, command }: PromptOrCommand,
): { readonly content: Content } | { readonly command: Command } {
  if (content !== undefined && command === undefined) return { content }
  if (content === undefined && command !== undefined) return { command }
  throw new AppError('invalid_input', `Give ${field} or command, exactly one of the two.`, {
    data: { field },
  })
}

/**
 * A request for a URL can leak data: fetching `http://host/?key=…` sends the key. A session would do that without a
 * question, so it is refused. Other callers decide for themselves.
 */
export function requireNoUrls(caller: Caller, content: Content | undefined): void {
  if (caller.kind !== 'session' || content === undefined || typeof content === 'string') return
  if (content.some(hasUrl))
    throw new AppError(
      'forbidden',
      'A child session may not give images or documents by url; give them as base64.',
    )
}

function hasUrl(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !('source' in block)) return false
  const { source } = block
  return typeof source === 'object' && source !== null && 'url' in source
}

/** A hint for a caller who wrote a slash command into the text, where it has no effect. */
export function commandHint(content: Content | undefined): string | undefined {
  const texts = typeof content === 'string' ? [content] : (content ?? []).map(textOf)
  const name = texts.map((text) => COMMAND.exec(text)?.[1]).find((found) => found !== undefined)
  if (name === undefined) return undefined
  return name === 'compact' || name === 'clear'
    ? `/${name} was sent as text; to run it, give command ${name} instead of the text.`
    : `/${name} was sent as text; the status of the session shows its cost and how much context it uses.`
}

const COMMAND = /^\s*\/(compact|clear|cost|context)(?:\s|$)/

function textOf(block: unknown): string {
  if (typeof block !== 'object' || block === null || !('text' in block)) return ''
  return typeof block.text === 'string' ? block.text : ''
}
