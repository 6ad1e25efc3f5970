import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { notesIn } from '../../audit/checkpoint-note.ts'
import { itemOfLine } from '../../audit/export-lines.ts'
import { recordItems } from '../../audit/record-items.ts'
import { reportLines } from '../../audit/record-report.ts'
import { type NoteVerifier, noteVerifier } from '../../audit/signed-note.ts'
import { RecordCheck } from '../../audit/verify-record.ts'
import { AppError } from '../../base/errors.ts'
import { homeOf } from '../../command-line/client-hub.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { readRecordFile } from '../../store/sqlite/read-record.ts'

/** Checks a database, or an export, without a hub: a hub that was changed could not hide anything here. */
export async function verifyRecord(
  { flags, env, out }: CommandCall,
  given: string | undefined,
): Promise<number> {
  const path = given ?? join(homeOf(env, flags.text('home')), 'plexus.db')
  const anchors = flags.text('anchors')
  const notes = anchors === undefined ? [] : notesIn(textOf(anchors))
  if (anchors !== undefined && notes.length === 0)
    throw new AppError(
      'invalid_input',
      `${anchors} has no checkpoint in it; name a file that anchors were written to.`,
    )
  const check = new RecordCheck({ verifier: verifierFor(path, flags.text('public-key')), anchors: notes })
  await ((await isDatabase(path)) ? checkDatabase(path, check) : checkExport(path, check))
  const report = check.report()
  if (out.isJson) out.json({ report })
  else for (const line of reportLines(report)) out.line(line)
  return report.broken ? 1 : 0
}

async function checkDatabase(path: string, check: RecordCheck): Promise<void> {
  await readRecordFile(path, async (record) => {
    for await (const items of recordItems(record)) for (const item of items) check.add(item)
  })
}

async function checkExport(path: string, check: RecordCheck): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (line === '') continue
    const item = itemOfLine(line)
    if (item) check.add(item)
    else check.addUnreadable('it is no line of an export.')
  }
}

/** The key beside the database proves less than one that was kept elsewhere: the account that has one has the other. */
function verifierFor(path: string, given: string | undefined): NoteVerifier | undefined {
  const beside = join(dirname(path), 'record.pub')
  if (given !== undefined) return noteVerifier(textOf(given))
  return existsSync(beside) ? noteVerifier(textOf(beside)) : undefined
}

async function isDatabase(path: string): Promise<boolean> {
  try {
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(15), 0, 15, 0)
      return buffer.toString('latin1') === 'SQLite format 3'
    } finally {
      await file.close()
    }
  } catch (error) {
    throw unreadable(path, error)
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, cause: unknown): AppError {
  return new AppError('invalid_input', `${path} cannot be read; check that it exists and is yours.`, {
    cause,
  })
}
