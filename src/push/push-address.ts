import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Which addresses a hub sends to. A device names the address, so it must not lead into the network of the hub. */
export interface AddressRules {
  /** For tests: a push service on 127.0.0.1, without TLS. */
  readonly allowsLoopback: boolean
}

const MAX_LENGTH = 1_000

/** Why nothing is sent to this address, as a sentence; undefined if it may be a push service. */
export function addressProblem(endpoint: string, { allowsLoopback }: AddressRules): string | undefined {
  if (endpoint.length > MAX_LENGTH || !URL.canParse(endpoint))
    return 'The address of the push service is not valid.'
  const url = new URL(endpoint)
  if (allowsLoopback && url.protocol === 'http:' && url.hostname === '127.0.0.1') return undefined
  if (url.protocol !== 'https:') return 'The address of a push service must begin with https.'
  if (url.username !== '' || url.password !== '') return 'The address of a push service has no password.'
  if (url.port !== '') return 'The address of a push service has no port.'
  const name = url.hostname
  if (isIP(name.replaceAll(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || LOCAL_NAMES.test(name))
    return 'The address of a push service must have a public host name.'
  return undefined
}

/** Names that lead to the own machine or network, whatever they resolve to. */
const LOCAL_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|test|onion)\.?$/i

/**
 * Resolves a name for a connection, and fails if any of its addresses is not public. The connection uses the very address that
 * was checked: a name that resolves to another one a moment later gains nothing.
 */
export const publicLookup: LookupFunction = checkedLookup((name, done) => lookup(name, { all: true }, done))

type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

export function checkedLookup(resolve: Resolve): LookupFunction {
  return (name, options, done) =>
    resolve(name, (error, addresses) => {
      const [first] = addresses ?? []
      const isPrivate = addresses?.some(({ address }) => !isPublicAddress(address))
      if (error || !first) done(error ?? new Error(`${name} has no address.`), '')
      else if (isPrivate) done(new Error(`${name} has an address that is not public.`), '')
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}

/** Whether an address is of the public internet: no own machine, no private network, nothing reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return isIP(address) === 6 && GLOBAL.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** All public addresses of IPv6 are in here; those that stand for an address of IPv4 are not, but for the two below. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

const NOT_PUBLIC = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv6')
