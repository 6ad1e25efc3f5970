import { type NotesOf, SESSION } from './verb-note.ts'

const LIMIT_EVENTS = 'The most events to return: 100 by default, at most 1000.'

type EventVerb = 'listTurns' | 'readEvents' | 'readTurn' | 'waitFor'

export const EVENT_NOTES: NotesOf<EventVerb> = {
  listTurns: {
    does: 'Lists the turns of a session, oldest first.',
    fields: { sessionId: SESSION },
    returns:
      'A list with `number`, `promptId`, `firstSeq`, `lastSeq` and `outcome`; the last two are absent while the turn runs.',
    example: { sessionId: 'greeter' },
  },
  readEvents: {
    does: 'Reads the events after `after`, or after the last event that this reader has read.',
    fields: {
      sessionId: SESSION,
      after: 'The seq of the last event that you have; 0 for all.',
      reader: 'A name whose position is stored: each call continues after the one before.',
      limit: LIMIT_EVENTS,
    },
    returns: '`events`, a list of [Event](#event).',
    example: { sessionId: 'greeter', after: 0 },
  },
  readTurn: {
    does: 'Reads the events of one turn, counted from its beginning.',
    fields: {
      sessionId: SESSION,
      reader: 'A name whose position is stored.',
      turn: 'The number of the turn; the last turn by default.',
      from: 'The first event to return, counted from the beginning of the turn.',
      limit: `${LIMIT_EVENTS} 0 returns no events, only the state.`,
      skipTails: 'After a turn has ended, continue with the next turn and skip the events after its end.',
    },
    returns:
      '`session`, `turn`, `events`, `position` (where to continue), `total` (events of the turn so far) and `more`.',
    example: { sessionId: 'greeter', reader: 'dashboard' },
  },
  waitFor: {
    does: 'Waits until a session needs an answer, has ended, or has changed; at most 50 seconds. Without `sessionIds` it waits for any session of the caller.',
    fields: {
      sessionIds: 'The ids or names of sessions.',
      atWork:
        'Instead of `sessionIds`: the ids of sessions whose end also ends the wait, even if it has already come.',
      seen: 'Instead of `sessionIds`: the last seq that you know of each session, by its id; any difference ends the wait.',
      known: 'The ids of questions that you leave open: they do not end the wait.',
      seconds: 'How long to wait; at most 50.',
    },
    returns: 'A list of [Session](#session); empty if nothing happened.',
    example: { sessionIds: ['greeter'], seconds: 50 },
  },
}
