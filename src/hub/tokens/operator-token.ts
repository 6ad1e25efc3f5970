import { join } from 'node:path'
import { isErrno } from '../../base/errno.ts'
import { AppError } from '../../base/errors.ts'
import { createPrivateFile, readPrivateFile } from '../../system/files/private-file.ts'

export function operatorTokenPath(home: string): string {
  return join(home, 'operator.token')
}

/** The operator's token; created at the first start. */
export async function operatorToken(home: string): Promise<string> {
  return readOrCreateToken(operatorTokenPath(home))
}

/** The key with which the hubs of a home folder sign; created at the first start. */
export async function signingKey(home: string): Promise<string> {
  return readOrCreateToken(join(home, 'signing.key'))
}

/** The secret of the key that push services know this hub by; created when the first device asks for its public part. */
export async function pushSecret(home: string): Promise<string> {
  return readOrCreateToken(join(home, 'push.key'))
}

/** Reads the token from a private file; creates a new token if there is none. */
export async function readOrCreateToken(path: string): Promise<string> {
  const text = await readPrivateFile(path).catch(async (error: unknown) => {
    if (!isErrno(error, 'ENOENT')) throw tokenFileError(path, error)
    const { randomBytes } = await import('node:crypto') // clients only read
    await createPrivateFile(path, `${randomBytes(32).toString('base64url')}\n`).catch((cause: unknown) => {
      if (!isErrno(cause, 'EEXIST')) throw cause
    })
    return readPrivateFile(path).catch((cause: unknown) => {
      throw tokenFileError(path, cause)
    })
  })
  if (!/^[\w-]{43}$/.test(text.trim())) throw unusable(path)
  return text.trim()
}

function tokenFileError(path: string, error: unknown): AppError {
  return error instanceof AppError ? error : unusable(path, error)
}

function unusable(path: string, cause?: unknown): AppError {
  return new AppError(
    'forbidden',
    `${path} is a link or does not contain a token; remove it, and a new one is made at the next start.`,
    { cause },
  )
}
