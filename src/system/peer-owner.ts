import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** One end of a connection over TCP on this machine. */
export interface TcpPorts {
  readonly clientPort: number
  readonly hubPort: number
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const known = new WeakMap<Socket, Promise<boolean>>()

/**
 * Whether the other end of a connection on 127.0.0.1 belongs to our own user, as the system's table says. Whoever had our
 * port for a while may have been given the token of a child; from a process of another user it is worth nothing. Where the
 * system has no such table (macOS), this is not known, and the token decides alone.
 */
export function isSameUser(socket: Socket): Promise<boolean> {
  const found = known.get(socket) ?? lookUp(socket)
  known.set(socket, found)
  return found
}

async function lookUp({ remotePort = 0, localPort = 0 }: Socket): Promise<boolean> {
  const ports = { clientPort: remotePort, hubPort: localPort }
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => undefined)))
  const readable = tables.filter((text) => text !== undefined)
  if (readable.length === 0) return true
  return readable.some((text) => ownerOf(text, ports) === process.getuid?.())
}

/**
 * The user whose end it is, by the text of such a table. One that its process has closed is nobody's: the table then says 0,
 * which is also the number of root.
 */
export function ownerOf(table: string, { clientPort, hubPort }: TcpPorts): number | undefined {
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state, , , , uid, , inode] = line.trim().split(/\s+/)
    const isConnection = isLoopback(local, clientPort) && isLoopback(remote, hubPort)
    if (isConnection && state === ESTABLISHED && inode !== '0') return Number(uid)
  }
  return undefined
}

/** `0100007F:1F90`; in the table of IPv6 the same address stands behind zeros. */
function isLoopback(end: string, port: number): boolean {
  const [address = '', hex = ''] = end.split(':')
  return LOOPBACK.test(address) && Number.parseInt(hex, 16) === port
}

const ESTABLISHED = '01'
const LOOPBACK = /^(?:0{16}(?:FFFF0000|0000FFFF))?(?:0100007F|7F000001)$/
