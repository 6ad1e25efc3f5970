import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editInput } from '../../../src/command-line/terminal/edit-input.ts'

const bash = { toolName: 'Bash', input: { command: 'touch a' } }

/** An editor that is a shell script: `$1` is the file. */
async function editor(script: string): Promise<{ path: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'plexus-editor-'))
  const path = join(folder, 'my editor')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return { path, folder }
}

test('the editor gets a private file, its change is the input, and the file is removed', async () => {
  const { path, folder } = await editor(
    `stat -c %a "$2" > "$(dirname "$0")/mode"; echo "$1" > "$(dirname "$0")/flag"; echo "$2" > "$(dirname "$0")/file"; echo 'touch b' > "$2"`,
  )
  const env = { PATH: process.env['PATH'], PLEXUS_EDITOR: `'${path}' --wait`, EDITOR: 'false' }
  expect(await editInput(bash, env)).toEqual({ command: 'touch b' })
  expect(await readFile(join(folder, 'mode'), 'utf8')).toBe('600\n')
  expect(await readFile(join(folder, 'flag'), 'utf8')).toBe('--wait\n')
  const file = (await readFile(join(folder, 'file'), 'utf8')).trim()
  await expect(readdir(join(file, '..'))).rejects.toThrow('ENOENT')
})

test('an editor that changes nothing answers nothing; one that fails or is missing is named', async () => {
  const env = { PATH: process.env['PATH'] }
  expect(await editInput(bash, { ...env, VISUAL: 'true', EDITOR: 'false' })).toBeUndefined()
  await expect(editInput(bash, { ...env, EDITOR: 'false' })).rejects.toThrow(
    'The editor ended with exit code 1, so nothing was answered.',
  )
  await expect(editInput(bash, { ...env, EDITOR: 'no-such-editor' })).rejects.toThrow(
    'There is no editor no-such-editor; name yours in EDITOR.',
  )
})
