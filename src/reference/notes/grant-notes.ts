import { type NotesOf, SESSION } from './verb-note.ts'

type GrantVerb = 'listGrants' | 'revokeGrant'

export const GRANT_NOTES: NotesOf<GrantVerb> = {
  listGrants: {
    does: 'Lists what was remembered and holds in a session: calls that need no new answer. Without `sessionId`, all of it.',
    fields: {
      sessionId: SESSION,
      ended:
        'true: after these also those of the latest 1000 that have ended, the latest first, as long as they are kept.',
    },
    returns:
      'A list with `id`, `scope`, `texts` (its rules, as they are stored), `rules`, `rule` (the exact call), `sessionId` and `approvalId` (the question), `question` (its short id), `names` (of the sessions it is about, by id), `by`, `at`, `endsAt` if it ends by itself, and `ended` if it has: `how` (`expired` or `revoked`), `at`, and `by` if a caller revoked it.',
    errors: { forbidden: 'without `sessionId`, for a client or a session' },
    example: { sessionId: 'greeter' },
  },
  revokeGrant: {
    does: 'Revokes a grant: such calls are asked about again, also in a process that already runs.',
    fields: {
      sessionId: SESSION,
      grantId:
        'The id of the grant, the beginning of it, or the question that it was remembered with, such as `web.3`.',
    },
    returns: 'The remaining grants, of the session or of all.',
    errors: { forbidden: 'it holds for sessions that the caller may not answer for' },
    example: { sessionId: 'greeter', grantId: '9a0c7a30-0d0c-4b7e-8a29-3f6f2f5b1c11' },
  },
}
