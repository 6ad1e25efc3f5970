import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressProblem, checkedLookup, isPublicAddress } from '../../src/push/push-address.ts'

const STRICT = { allowsLoopback: false }

test.each([
  'https://fcm.googleapis.com/fcm/send/abc:def',
  'https://updates.push.services.mozilla.com/wpush/v2/gAAAA',
  'https://web.push.apple.com/QO',
  'https://db5p.notify.windows.com/w/?token=abc',
])('%s may be a push service', (endpoint) => {
  expect(addressProblem(endpoint, STRICT)).toBeUndefined()
})

test.each([
  'http://fcm.googleapis.com/x',
  'http://127.0.0.1:3000/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://8.8.8.8/',
  'https://192.168.1.1/admin',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/',
  'https://a.localhost/',
  'https://router.lan/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://intranet/',
  'https://user:pass@push.example.com/',
  'https://push.example.com:8443/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'nothing',
  '',
  `https://push.example.com/${'x'.repeat(1_000)}`,
])('S51: %s is refused', (endpoint) => {
  expect(addressProblem(endpoint, STRICT)).toMatch(/^The address of .*\.$/)
})

test('S51: 127.0.0.1 is let in only where the hub was started for tests', () => {
  const rules = { allowsLoopback: true }
  expect(addressProblem('http://127.0.0.1:3000/x', rules)).toBeUndefined()
  for (const endpoint of ['http://localhost:3000/', 'http://10.0.0.1/', 'http://127.0.0.1.example.com/'])
    expect(addressProblem(endpoint, rules)).toBeDefined()
})

test.each([
  ['8.8.8.8', true],
  ['142.250.1.1', true],
  ['2607:f8b0:4005::200e', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::', false],
  ['::ffff:10.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::a00:1', false],
  ['2002:7f00:1::', false],
  ['2001:db8::1', false],
  ['ff02::1', false],
  ['nothing', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test('no address of a private network is public, however it is written', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.constantFrom(10, 127, 0), byte, byte, byte, (a, b, c, d) => {
      expect(isPublicAddress(`${a}.${b}.${c}.${d}`)).toBe(false)
      expect(isPublicAddress(`::ffff:${hex(a, b)}:${hex(c, d)}`)).toBe(false)
      expect(isPublicAddress(`2002:${hex(a, b)}:${hex(c, d)}::1`)).toBe(false)
    }),
  )
})

test('S51: a name with one address that is not public is not connected to', async () => {
  expect(await lookupOf('8.8.8.8')).toBe('8.8.8.8')
  expect(await lookupOf('8.8.8.8', '10.0.0.1')).toBe('push.example.com has an address that is not public.')
  expect(await lookupOf('::1')).toBe('push.example.com has an address that is not public.')
  expect(await lookupOf()).toBe('push.example.com has no address.')
})

function hex(a: number, b: number): string {
  return ((a << 8) | b).toString(16)
}

function lookupOf(...addresses: string[]): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    const lookup = checkedLookup((_, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    )
    lookup('push.example.com', { all: false }, (error, address) => resolve(error?.message ?? address))
  })
}
