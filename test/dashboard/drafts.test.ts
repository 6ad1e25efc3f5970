import { beforeEach, expect, test } from 'vitest'
import { begun, Drafts, keepBegun, keepDraftsOf, reasons, resumed } from '../../dashboard/src/inbox/drafts.ts'
import { type Dialog, emptyDialog } from '../../src/command-line/dialog/dialog.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const [first, second] = ['q1', 'q2'].map((id) => ({ id: asApprovalId(id), inputSha256: 'shown' })) as [
  Asked,
  Asked,
]
type Asked = { id: ReturnType<typeof asApprovalId>; inputSha256: string }
const dialog: Dialog = emptyDialog({ mayEdit: true, repliesAtOnce: false })

beforeEach(() => keepDraftsOf(new Set()))

test('a draft belongs to its question and to the input that was shown', () => {
  const drafts = new Drafts<string>()
  drafts.of(first, () => '').value = 'No, '
  expect(drafts.of(first, () => 'other').value).toBe('No, ')
  expect(drafts.of(second, () => 'other').value).toBe('other')
  expect(drafts.of({ ...first, inputSha256: 'changed' }, () => '').value).toBe('')
})

test('what is dropped, or belongs to a question that is settled, begins anew', () => {
  const drafts = new Drafts<string>()
  for (const question of [first, second]) drafts.of(question, () => '').value = 'typed'
  drafts.drop(first.id)
  expect(drafts.of(first, () => '').value).toBe('')
  drafts.keepOnly(new Set([first.id]))
  expect(drafts.of(second, () => '').value).toBe('')
})

test('a question that is left counts as begun only if something was typed, edited or chosen for it', () => {
  keepBegun(first, dialog, false)
  expect(begun.value.size).toBe(0)
  reasons.of(first, () => '')
  keepBegun(first, dialog, false)
  expect(begun.value.size).toBe(0)
  reasons.of(first, () => '').value = 'No'
  keepBegun(first, dialog, false)
  keepBegun(second, { ...dialog, step: 'edited', edited: { command: 'ls' } }, false)
  expect([...begun.value.keys()]).toEqual([first.id, second.id])
  keepDraftsOf(new Set([second.id]))
  expect([...begun.value.keys()]).toEqual([second.id])
  expect(reasons.of(first, () => '').value).toBe('')
})

test('a person returns to the reason or to the edited input, and to no second key that only confirms', () => {
  const left = { inputSha256: 'shown', isEditing: false }
  expect(resumed(dialog, { ...left, step: 'reason' }).step).toBe('reason')
  const edited = { command: 'ls' }
  expect(resumed(dialog, { ...left, step: 'edited', edited })).toMatchObject({ step: 'edited', edited })
  for (const step of ['wider', 'sure', 'dismiss'] as const)
    expect(resumed(dialog, { ...left, step })).toBe(dialog)
})
