import { expect, test } from 'vitest'
import { PAGE_HEADERS } from '../../../src/transports/page/start-page.ts'

test('the page that a browser gets can be framed by nobody and loads nothing of others', () => {
  expect(PAGE_HEADERS).toMatchObject({
    'x-frame-options': 'DENY',
    'content-security-policy': expect.stringMatching(/default-src 'self'.*frame-ancestors 'none'/) as unknown,
  })
})
