import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { editableText, type Edited, inputFromText } from '../views/edited-input.ts'
import { askYesOrNo } from './ask-person.ts'
import { type Env, NOT_FOUND, runProgram } from './run-program.ts'

/**
 * Opens the input of a question in the editor of the person: a command as its text, anything else as JSON. Returns the input
 * that they left, or undefined if they changed nothing or gave up. The terminal must be theirs alone meanwhile.
 */
export async function editInput(
  question: Pick<PendingQuestion, 'toolName' | 'input'>,
  env: Env,
): Promise<Record<string, unknown> | undefined> {
  const before = editableText(question)
  const folder = await mkdtemp(join(tmpdir(), 'plexus-edit-'))
  const file = join(folder, before.file)
  try {
    await writeFile(file, before.text, { mode: 0o600 })
    for (;;) {
      await openEditor(file, env)
      const edited = await inputIn(file, question)
      if (edited.kind === 'input') return edited.input
      if (edited.kind === 'unchanged') return undefined
      process.stderr.write(`${edited.problem}\n`)
      if (!(await askYesOrNo('Edit it again?'))) return undefined
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function inputIn(file: string, question: Pick<PendingQuestion, 'toolName' | 'input'>): Promise<Edited> {
  return inputFromText(question, await readFile(file, 'utf8'))
}

async function openEditor(file: string, env: Env): Promise<void> {
  const editor = editorOf(env)
  const exitCode = await runProgram(editor, [file], env)
  if (exitCode === 0) return
  throw new AppError(
    'invalid_input',
    exitCode === NOT_FOUND
      ? `There is no editor ${editor}; name yours in EDITOR.`
      : `The editor ended with exit code ${exitCode}, so nothing was answered.`,
  )
}

function editorOf({ PLEXUS_EDITOR, VISUAL, EDITOR }: Env): string {
  return PLEXUS_EDITOR || VISUAL || EDITOR || 'vi'
}
