import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { TextDecoder } from 'node:util'
import { isErrno } from '../../base/errno.ts'
import { AppError } from '../../base/errors.ts'
import { withDraft } from './draft-file.ts'

/** Files of a person or of another program: a link is followed, and mode and owner stay as they are. */

/** Undefined if there is no such file. A file that is not UTF-8 is refused, because it could not be written back as it is. */
export function readSettings(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch (cause) {
    if (isErrno(cause, 'ENOENT') && !isLink(path)) return undefined
    const reason = isErrno(cause, 'ENOENT')
      ? 'is a link that leads nowhere'
      : cause instanceof TypeError
        ? 'is not UTF-8 text'
        : 'cannot be read'
    throw new AppError('invalid_input', `${path} ${reason}; correct that first.`, { cause })
  }
}

/**
 * Writes the file, or removes it if `after` is undefined. Refused if it is no longer what it was when it was shown. What another
 * program writes in the moment between this check and the write is lost, as with every program that replaces such a file.
 */
export function writeSettings(path: string, before: string | undefined, after: string | undefined): void {
  if (readSettings(path) !== before)
    throw new AppError('changed', `${path} has changed meanwhile, so nothing was written; try again.`)
  try {
    if (after === undefined) rmSync(path, { force: true })
    else if (before === undefined) create(path, after)
    else replace(realpathSync.native(path), after)
  } catch (cause) {
    const sentence = isErrno(cause, 'EEXIST')
      ? `${path} has changed meanwhile, so nothing was written; try again.`
      : `${path} cannot be written; check whether it and its folder are yours.`
    throw new AppError(isErrno(cause, 'EEXIST') ? 'changed' : 'forbidden', sentence, { cause })
  }
}

/** Keeps the text of a file under another name, for the same readers. */
export function copySettings(path: string, text: string, copy: string): void {
  replace(copy, text, path)
}

function create(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const publish = (draft: string) => {
    linkSync(draft, path)
    rmSync(draft)
  }
  withDraft(path, text, publish, { lasts: true })
}

function replace(path: string, text: string, like = path): void {
  const { mode, uid, gid } = statSync(like)
  const publish = (draft: string) => renameSync(draft, path)
  withDraft(path, text, publish, { mode: mode & 0o777, owner: { uid, gid }, lasts: true })
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
