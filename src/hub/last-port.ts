import { join } from 'node:path'
import { readPrivateFile, replacePrivateFile } from '../system/files/private-file.ts'

/** The port of the last hub of a home folder, however it ended: children that ask over HTTP know only that port. */
export async function readLastPort(home: string): Promise<number | undefined> {
  const text = await readPrivateFile(portPath(home)).catch(() => '')
  const port = Number(text)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
}

export async function writeLastPort(home: string, port: number): Promise<void> {
  await replacePrivateFile(portPath(home), `${port}\n`)
}

function portPath(home: string): string {
  return join(home, 'hub.port')
}
