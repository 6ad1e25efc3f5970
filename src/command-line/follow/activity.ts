import type { StoredEvent } from '../../events/event-log.ts'
import type { Session } from '../../sessions/record/session.ts'
import { oneLine } from '../views/session-words.ts'
import { subjectOf } from '../views/log-lines.ts'

/** What a session does now, as far as its events say. */
export interface Activity {
  readonly doing: string
  readonly isBusy: boolean
  /** When the turn began; undefined if that was before the first event that was read. */
  readonly since: number | undefined
  /** How long the last turn took. */
  readonly tookMs: number | undefined
  readonly tokens: number | undefined
}

export function activityOf({ status, contextTokens }: Session): Activity {
  const isBusy = status === 'running' || status === 'waiting'
  return {
    doing: isBusy ? 'at work' : 'idle',
    isBusy,
    since: undefined,
    tookMs: undefined,
    tokens: contextTokens,
  }
}

/** Pure. What sub-agents do is not followed. */
export function afterEvent(activity: Activity, { event, at }: StoredEvent, homeFolder?: string): Activity {
  if ('parent' in event && event.parent !== undefined) return activity
  switch (event.type) {
    case 'prompt.accepted':
    case 'turn.started':
      return activity.isBusy && activity.since !== undefined
        ? activity
        : { ...activity, doing: 'thinking', isBusy: true, since: at }
    case 'text':
    case 'thinking':
      return withTokens({ ...activity, doing: 'thinking' }, event.contextTokens)
    case 'tool.used':
      return withTokens(
        { ...activity, doing: `${oneLine(event.toolName)} ${subjectOf(event.input, homeFolder)}`.trim() },
        event.contextTokens,
      )
    case 'tool.finished':
      return { ...activity, doing: 'thinking' }
    case 'api.retried':
      return { ...activity, doing: `the API failed, try ${event.attempt} of ${event.maxRetries}` }
    case 'turn.ended': {
      const { since } = activity
      const took = since === undefined ? {} : { tookMs: at - since }
      return { ...activity, ...took, doing: 'idle', isBusy: false, since: undefined }
    }
    default:
      return activity
  }
}

function withTokens(activity: Activity, tokens: number | undefined): Activity {
  return tokens === undefined ? activity : { ...activity, tokens }
}
