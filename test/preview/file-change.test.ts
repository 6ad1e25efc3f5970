import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readFileChange } from '../../src/preview/read-file-change.ts'
import { decidedChange, fileChange } from '../../src/preview/file-change.ts'
import { askedQuestion } from '../rig/tools/asked-question.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

const edit = (before: string, after: string, fields: object = {}) =>
  askedQuestion('1', {
    toolName: 'Edit',
    input: { file_path: '/f', old_string: before, new_string: after, ...fields },
    openedAt: 10,
  })
const write = (content: string, path = '/f') =>
  askedQuestion('1', { toolName: 'Write', input: { file_path: path, content }, openedAt: 10 })
const now = (text: string, changedAt = 5) => ({ text, changedAt })

describe('the change of a file', () => {
  test('is a diff against the file as it is now, with the lines around it', () => {
    const text = 'a\nb\nc\nd\ne\nf\ng\nh\n'
    expect(fileChange(edit('f', 'F'), now(text))).toEqual({
      note: '+1 -1',
      lines: ['@ line 3', '  c', '  d', '  e', '- f', '+ F', '  g', '  h'],
    })
  })

  test('says that a file is new, that nothing changes, and that it was changed since', () => {
    expect(fileChange(write('x\n'), 'missing')).toEqual({ note: 'new file, +1 -0', lines: ['+ x'] })
    expect(fileChange(write('x\n'), now('x\n'))).toEqual({ note: 'nothing changes', lines: [] })
    expect(fileChange(write('y\n'), now('x\n', 11))?.note).toBe(
      '+1 -1, the file was changed since this was asked',
    )
  })

  test('shows what is replaced where that is not in the file', () => {
    expect(fileChange(edit('zz', 'y'), now('x\n'))).toMatchObject({
      note: 'the text to replace is not in the file as it is now',
      lines: ['- zz', '+ y'],
    })
  })

  test('replaces once, or everywhere where the call says so, and takes no pattern', () => {
    expect(fileChange(edit('a', '$&b'), now('a a\n'))?.lines).toEqual(['- a a', '+ $&b a'])
    expect(fileChange(edit('a', 'b', { replace_all: true }), now('a a\n'))?.lines).toEqual(['- a a', '+ b b'])
  })

  test('shows a missing newline, and what a terminal would hide or obey', () => {
    expect(fileChange(write('x'), now('x\n'))?.lines).toEqual([
      '  x',
      '+ (no newline at the end of the file)',
    ])
    expect(fileChange(write('\u001B[2J\u202E\n'), 'missing')?.lines).toEqual(['+ \\u{1b}[2J\\u{202e}'])
  })

  test('that was decided on is shown by its input alone, without a place in the file', () => {
    expect(decidedChange(edit('a\nb', 'a\nB\u202E'))).toEqual({
      note: '',
      lines: ['  a', '- b', '+ B\\u{202e}'],
      isUnplaced: true,
    })
    expect(decidedChange(write('x\ny\n'))).toMatchObject({ note: 'the whole text', lines: ['+ x', '+ y'] })
    expect(decidedChange(askedQuestion('1'))).toBeUndefined()
  })

  test('is nothing for a call that changes no file', () => {
    expect(fileChange(askedQuestion('1'), 'missing')).toBeUndefined()
  })
})

describe('a file that a model has named', () => {
  test('is read in the folder of the call', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'f'), 'old\n')
    const question = { ...write('new\n', 'f'), cwd: folder }
    expect((await readFileChange(question))?.lines).toEqual(['- old', '+ new'])
    expect(await readFileChange({ ...question, cwd: undefined })).toBeUndefined()
  })

  test('is not read where it is no plain file, no text, or too large', async () => {
    const folder = await temporaryFolder()
    execFileSync('mkfifo', [join(folder, 'pipe')])
    await mkdir(join(folder, 'folder'))
    await symlink('/dev/zero', join(folder, 'zeros'))
    await writeFile(join(folder, 'binary'), 'a\0b')
    await writeFile(join(folder, 'large'), 'x'.repeat((1 << 20) + 1))
    for (const name of ['pipe', 'folder', 'zeros', 'binary', 'large'])
      expect(await readFileChange(write('x', join(folder, name)))).toBeUndefined()
  })
})
