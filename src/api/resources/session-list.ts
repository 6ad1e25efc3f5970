import { definedFields } from '../../base/defined-fields.ts'
import type { Session } from '../../sessions/record/session.ts'
import { visibleText } from '../../text/visible-text.ts'
import { STATUS } from '../claude/status-view.ts'
import { shortenText } from '../views/shorten-text.ts'
import { uriOf } from './session-uri.ts'

/** A session as an entry of `plexus://sessions`. */
export function sessionBrief(session: Session) {
  const {
    id,
    name,
    status,
    workingDirectory,
    turn,
    costUsd,
    parentId,
    createdAt,
    updatedAt,
    lastSeq,
    error,
  } = session
  return {
    sessionId: id,
    uri: uriOf(session),
    status: STATUS[status],
    workingDirectory,
    turnCount: turn,
    costUsd,
    seq: lastSeq,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    ...definedFields({
      name,
      parentId,
      terminal: session.terminal,
      error: status === 'failed' ? error : undefined,
    }),
  }
}

/** A session as an entry of `resources/list`. */
export function sessionResource(session: Session) {
  const { id, name, status, workingDirectory, updatedAt } = session
  const title = visibleText(shortenText(name ?? id, 80)).replaceAll('\n', ' ')
  return {
    uri: uriOf(session),
    name: id,
    title,
    description: visibleText(`${STATUS[status]}, in ${workingDirectory}`),
    mimeType: TRANSCRIPT_TYPE,
    annotations: { lastModified: new Date(updatedAt).toISOString() },
  }
}

export const TRANSCRIPT_TYPE = 'text/markdown'
