import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'

/** The two ports of a TCP connection on this machine. */
export interface TcpPorts {
  readonly clientPort: number
  readonly hubPort: number
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const known = new WeakMap<Socket, Promise<boolean>>()

/**
 * Whether the other end of a connection on 127.0.0.1 belongs to our own user, according to the system's connection table. A
 * process that held our port for a while may have received the token of a child; a process of another user cannot use it.
 * Where the system has no such table (macOS), the owner is unknown, and the token decides alone.
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
 * The user id of the client end, from the text of such a table. A connection that its process has closed has no owner: the
 * table then says 0, which is also the id of root.
 */
export function ownerOf(table: string, { clientPort, hubPort }: TcpPorts): number | undefined {
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state, , , , uid, , inode] = line.trim().split(/\s+/)
    const isConnection = isLoopback(local, clientPort) && isLoopback(remote, hubPort)
    if (isConnection && state === ESTABLISHED && inode !== '0') return Number(uid)
  }
  return undefined
}

/** `0100007F:1F90`; in the IPv6 table the same address is preceded by zeros. */
function isLoopback(end: string, port: number): boolean {
  const [address = '', hex = ''] = end.split(':')
  return LOOPBACK.test(address) && Number.parseInt(hex, 16) === port
}

const ESTABLISHED = '01'
const LOOPBACK = /^(?:0{16}(?:FFFF0000|0000FFFF))?(?:0100007F|7F000001)$/
