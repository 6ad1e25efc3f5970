import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bearerToken,
  rejectionReason,
  isJson,
  isThroughProxy,
  isTooDeep,
  jsonDepth,
  type RequestHead,
  unauthorized,
} from '../../../src/transports/http/request-guards.ts'

const ours: RequestHead = {
  hosts: ['127.0.0.1:4445'],
  origins: [],
  fetchSite: undefined,
  target: '/rpc',
  port: 4445,
}

describe('S3: what reaches the hub', () => {
  test.each<[string, Partial<RequestHead>]>([
    ['by its address', {}],
    ['by the name localhost', { hosts: ['localhost:4445'] }],
    ['by the name LOCALHOST', { hosts: ['LOCALHOST:4445'] }],
    ['by its other address', { hosts: ['[::1]:4445'] }],
    ['from its own page', { origins: ['http://127.0.0.1:4445'], fetchSite: 'same-origin' }],
    ['from the address bar', { fetchSite: 'none' }],
    ['by the socket, whatever it is called there', { hosts: ['plexus'], port: undefined }],
    ['by the socket, without a name', { hosts: [], port: undefined }],
  ])('%s is ours', (_, head) => {
    expect(rejectionReason({ ...ours, ...head })).toBeUndefined()
  })

  test.each<[string, Partial<RequestHead>]>([
    ['by a name of others', { hosts: ['evil.example:4445'] }],
    ['by a name that begins like ours', { hosts: ['127.0.0.1.evil.example:4445'] }],
    ['by a name that ends like ours', { hosts: ['evil-localhost:4445'] }],
    ['by a subdomain of localhost', { hosts: ['evil.localhost:4445'] }],
    ['by another port', { hosts: ['127.0.0.1:80'] }],
    ['without a port', { hosts: ['127.0.0.1'] }],
    ['without a host', { hosts: [] }],
    ['with two hosts', { hosts: ['127.0.0.1:4445', 'evil.example'] }],
    ['by another address of this machine', { hosts: ['0.0.0.0:4445'] }],
    ['from a page of others', { origins: ['https://evil.example'] }],
    ['from a page without an origin', { origins: ['null'] }],
    ['from a page on another port', { origins: ['http://127.0.0.1:3000'] }],
    ['from a page by TLS', { origins: ['https://127.0.0.1:4445'] }],
    ['with a second origin', { origins: ['http://127.0.0.1:4445', 'https://evil.example'] }],
    ['from another site', { fetchSite: 'cross-site' }],
    ['from another port of this site', { fetchSite: 'same-site' }],
    ['from a page, by the socket', { port: undefined, origins: ['http://127.0.0.1:4445'] }],
    [
      'from a page without a port, by the socket',
      { port: undefined, origins: ['http://127.0.0.1:undefined'] },
    ],
    ['for somebody else, as to a proxy', { target: 'http://evil.example/' }],
  ])('%s is not', (_, head) => {
    expect(rejectionReason({ ...ours, ...head })).toMatch(/^The hub .+\.$/)
  })
})

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer  abc', undefined],
  ['Bearer abc def', undefined],
  ['Bearer ', undefined],
  ['Basic abc', undefined],
  ['x Bearer abc', undefined],
  [`Bearer ${'a'.repeat(201)}`, undefined],
  [undefined, undefined],
])('S3: the token in %j is %j', (header, token) => {
  expect(bearerToken(header)).toBe(token)
})

test.each([
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json; charset=utf-8', true],
  ['application/json  ;  charset=utf-8 ', true],
  ['application/json;charset=utf-8', true],
  ['application/jsonx; charset=utf-8', false],
  ['application/json; charset="utf-8"', true],
  ['application/json; charset="utf-8', false],
  ['application/json; charset=latin1', false],
  ['application/json; boundary=x', false],
  ['application/jsonp', false],
  ['text/plain', false],
  ['text/plain; application/json', false],
  ['application/x-www-form-urlencoded', false],
  ['', false],
  [undefined, false],
])('S4: %j as JSON: %j', (type, fine) => {
  expect(isJson(type)).toBe(fine)
})

test('a wrong token reads otherwise than none', () => {
  expect(unauthorized(undefined).message).toContain('A token is needed')
  expect(unauthorized(null).message).toContain('A token is needed')
  expect(unauthorized('Bearer x').message).toContain('This token is unknown or no longer valid')
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('S4: the depth of JSON', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

  test('is what a parser would find, whatever the strings in it look like', () => {
    const odd = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'a') })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), odd, (value, text) => {
        const whole = { [text]: value, text }
        expect(jsonDepth(JSON.stringify(whole))).toBe(depthOf(whole))
      }),
    )
  })

  test('of what is not JSON is some number, and does not take for ever', () => {
    fc.assert(fc.property(fc.string(), (text) => jsonDepth(text) >= 0))
    expect(jsonDepth('['.repeat(1_000_000))).toBe(1_000_000)
    expect(jsonDepth('"'.repeat(1_000_001))).toBe(0)
  })

  test('may be 64, and not more', () => {
    expect([isTooDeep(nested(64)), isTooDeep(nested(65))]).toEqual([false, true])
  })
})

describe('S3: through a proxy', () => {
  const proxied: RequestHead = { ...ours, hosts: ['Box.example.net'], origins: ['https://box.example.net'] }

  test('the name of the proxy is accepted where it was given, with its own origin', () => {
    expect(rejectionReason(proxied, 'box.example.net')).toBeUndefined()
    expect(isThroughProxy(proxied, 'box.example.net')).toBe(true)
    expect(rejectionReason(proxied)).toMatch(/host name/)
  })

  test.each<[string, Partial<RequestHead>]>([
    ['another name', { hosts: ['other.example.net'] }],
    ['a name that begins so', { hosts: ['box.example.net.evil'] }],
    ['two names', { hosts: ['box.example.net', '127.0.0.1:4445'] }],
    ['an origin without encryption', { origins: ['http://box.example.net'] }],
    ['the origin of this machine', { origins: ['http://127.0.0.1:4445'] }],
    ['a page of another site', { fetchSite: 'cross-site' }],
  ])('%s is rejected', (_, head) => {
    expect(rejectionReason({ ...proxied, ...head }, 'box.example.net')).toMatch(/^The hub .+\.$/)
  })

  test('requests by the address of the hub, and by its socket, are not through the proxy', () => {
    expect(isThroughProxy(ours, 'box.example.net')).toBe(false)
    expect(isThroughProxy({ ...proxied, port: undefined }, 'box.example.net')).toBe(false)
  })
})
