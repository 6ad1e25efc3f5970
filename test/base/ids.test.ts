import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { approvalIdOf, SessionId, type SessionKey } from '../../src/base/ids.ts'

test('an approval id is a UUID made of the session and the request alone', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string(), (sessionId, requestId) => {
      const id = approvalIdOf(sessionId, requestId)
      expect(SessionId.safeParse(id).success).toBe(true)
      expect(approvalIdOf(sessionId, requestId)).toBe(id)
    }),
  )
})

test('another session or another request gives another id', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), fc.string(), fc.string(), (session, other, request, otherRequest) => {
      fc.pre(session !== other && request !== otherRequest)
      const ids = [session, other].flatMap((id) => [
        approvalIdOf(id, request),
        approvalIdOf(id, otherRequest),
      ])
      expect(new Set(ids).size).toBe(4)
    }),
  )
})

test('the id of a request is the same in every version of Plexus, because it is stored', () => {
  expect(approvalIdOf('00000000-0000-4000-8000-000000000000', 'request')).toBe(
    'd091ad64-fb44-8916-9d91-3f41196425fc',
  )
})

test.each([
  '',
  'x',
  '../../etc',
  '00000000-0000-4000-8000-00000000000',
  '-00000000-0000-4000-8000-00000000000',
])('a session id is a UUID and nothing else: %j', (text) => {
  expect(SessionId.safeParse(text).success).toBe(false)
})

const find = (sessionId: SessionKey) => sessionId
const store = (sessionId: SessionId) => sessionId

test('the compiler refuses an id of another kind, and takes text from outside only to look something up', () => {
  const session = SessionId.parse('00000000-0000-4000-8000-000000000000')
  const approval = approvalIdOf(session, 'request')
  expect([find(session), store(session), find('a name')]).toEqual([session, session, 'a name'])
  // @ts-expect-error a question is not a session
  expect(find(approval)).toBe(approval)
  // @ts-expect-error a question is not a session
  expect(store(approval)).toBe(approval)
  // @ts-expect-error text may be anything
  expect(store('a name')).toBe('a name')
})
