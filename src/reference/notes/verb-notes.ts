import type { VerbName } from '../../engine/verbs.ts'
import { DEVICE_NOTES } from './device-notes.ts'
import { EVENT_NOTES } from './event-notes.ts'
import { GRANT_NOTES } from './grant-notes.ts'
import { LEARNING_NOTES } from './learning-notes.ts'
import { OUTSIDE_NOTES } from './outside-notes.ts'
import { QUESTION_NOTES } from './question-notes.ts'
import { RECORD_NOTES } from './record-notes.ts'
import { SESSION_NOTES } from './session-notes.ts'
import { SPENDING_NOTES } from './spending-notes.ts'
import type { NotesOf } from './verb-note.ts'

/** In the order of the page. */
export const VERB_NOTES: NotesOf<VerbName> = {
  ...SESSION_NOTES,
  ...EVENT_NOTES,
  ...QUESTION_NOTES,
  ...GRANT_NOTES,
  ...LEARNING_NOTES,
  ...SPENDING_NOTES,
  ...OUTSIDE_NOTES,
  ...RECORD_NOTES,
  ...DEVICE_NOTES,
}
