import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newSignerText, type NoteSigner, noteSigner } from '../../audit/signed-note.ts'
import { isErrno } from '../../base/errno.ts'
import { AppError } from '../../base/errors.ts'
import { createPrivateFile, readPrivateFile, replacePrivateFile } from '../../system/files/private-file.ts'

/** The public key of the record of a home folder: whoever checks the record keeps a copy elsewhere. */
function recordPublicKeyPath(home: string): string {
  return join(home, 'record.pub')
}

/**
 * The key that signs the checkpoints of a home folder, made once. It lies in the account whose record it signs: what makes a
 * forgery evident is an anchor outside, not this key.
 */
export async function recordSigner(home: string): Promise<NoteSigner> {
  const path = join(home, 'record.key')
  const text = await readPrivateFile(path).catch(async (error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw keyFileError(path, error)
    const name = `plexus-record-${randomBytes(4).toString('hex')}`
    await createPrivateFile(path, `${newSignerText(name, randomBytes(32))}\n`)
    return readPrivateFile(path)
  })
  const signer = signerOf(path, text.trim())
  const publicText = `${signer.verifier.text}\n`
  const written = await readPrivateFile(recordPublicKeyPath(home)).catch(() => '')
  if (written !== publicText) await replacePrivateFile(recordPublicKeyPath(home), publicText)
  return signer
}

function signerOf(path: string, text: string): NoteSigner {
  try {
    return noteSigner(text)
  } catch (error) {
    throw keyFileError(path, error)
  }
}

/** It is never replaced by itself: everything that it has signed would then count as forged. */
function keyFileError(path: string, cause: unknown): AppError {
  return new AppError(
    'forbidden',
    `${path} is a link, is not private, or contains no key of a record; put it back from a backup, or remove it and keep the checkpoints that it has signed apart.`,
    { cause },
  )
}
