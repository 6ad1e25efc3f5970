import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anApproval, aStep } from '../contracts/rows.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { asApprovalId } from '../rig/tools/ids.ts'
import { aFamily, CALLERS, CHILD } from '../rig/clients/family.ts'

async function askedToWrite() {
  const { app, store, project } = await aFamily()
  const [file, secret] = [join(project, 'a.txt'), join(project, 'secret.txt')]
  await writeFile(file, 'old\n')
  await writeFile(secret, 'token\n')
  const fields = {
    id: 'w1',
    sessionId: CHILD,
    toolName: 'Write',
    input: { file_path: file, content: 'new\n' },
  }
  await store.journal.append(aStep(0, { sessionId: CHILD, opened: [anApproval(fields)] }))
  return { engine: app.engine, file, secret, store }
}

test('S1: a session above reads no file by the preview of a question, whatever it names', async () => {
  const { engine, secret } = await askedToWrite()
  for (const caller of [CALLERS.parent, CALLERS.owner, { ...CALLERS.operator, person: false }])
    for (const input of [undefined, { file_path: secret, content: '' }]) {
      const refused = await refusalOf(engine.previewChange({ caller }, { approvalId: 'w1', input }))
      expect([refused.code, refused.message.includes('token')]).toEqual(['forbidden', false])
    }
})

test('a person sees the change of the file that is asked about, also after an edit, and of no other', async () => {
  const { engine, file, secret } = await askedToWrite()
  const seen = (input?: Record<string, unknown>) =>
    engine.previewChange({ caller: CALLERS['device that reads'] }, { approvalId: 'w1', input })
  expect((await seen())?.lines).toEqual(['- old', '+ new'])
  expect((await seen({ file_path: file, content: 'newer\n' }))?.lines).toEqual(['- old', '+ newer'])
  expect(await seen({ file_path: secret, content: '' })).toBeUndefined()
})

test('of a settled question it is what was decided on, whatever the file has become since', async () => {
  const { engine, file, store } = await askedToWrite()
  await writeFile(file, 'new\n')
  await store.journal.append(
    aStep(1, { sessionId: CHILD, settled: [{ approvalId: asApprovalId('w1'), status: 'allowed' }] }),
  )
  const seen = await engine.previewChange({ caller: CALLERS['device that reads'] }, { approvalId: 'w1' })
  expect(seen).toEqual({ note: 'the whole text', lines: ['+ new'], isUnplaced: true })
})
