import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { AppError } from '../../src/base/errors.ts'
import { createLog, type LogLevel, redact } from '../../src/base/log.ts'

function logged(level: LogLevel, work: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = []
  work(createLog(level, (line) => lines.push(line)))
  return lines
}

const secret = randomBytes(32).toString('base64url')

test.each([
  ['a key of Anthropic', 'sk-ant-api03-AbCdEf123456_7890-xyz'],
  ['an OAuth token', 'sk-ant-oat01-AbCdEf123456_7890-xyz'],
  ['a bearer token', 'Authorization: Bearer abcdef.123456'],
  ['a token in a URL', 'http://127.0.0.1:4445/?a=1&token=abcdef&b=2'],
  ['a token in a fragment', 'http://127.0.0.1:4445/#token=abcdef'],
  ['a key in JSON', '{"api_key":"abcdef"}'],
  ['a key in JSON in JSON', '{\\"ANTHROPIC_API_KEY\\":\\"abcdef\\"}'],
  ['a variable', 'ANTHROPIC_AUTH_TOKEN=abcdef'],
  ['a token of GitHub', 'ghp_abcdefabcdefabcdef'],
  ['one of ours', secret],
])('S11: %s is not logged', (_, text) => {
  const clean = redact(`before ${text} after`)
  expect(clean).not.toMatch(/abcdef|AbCdEf/)
  expect(clean).not.toContain(secret)
  expect(clean).toMatch(/^before .*…/)
  expect(clean).toMatch(/after$/)
})

test('S11: text that is not a secret is not redacted', () => {
  const text =
    'session 0d8f9f0e-52d1-4d5e-9d4e-0a8a2f7c5b11 of /home/me/my-project asks to use Bash: ls --token-count'
  expect(redact(text)).toBe(text)
})

test('S11: a secret deep in the fields, in an error or in its cause is not logged', () => {
  const error = new AppError('internal', 'It failed.', { cause: new Error(`token=${secret}`) })
  const [line = ''] = logged('info', (log) =>
    log.error('Oh.', { error, deep: [{ header: `Bearer ${secret}` }] }),
  )
  expect(line).not.toContain(secret)
  expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'Oh.', error: { code: 'internal' } })
})

test('a log line is one JSON object on one line, of the configured levels', () => {
  const lines = logged('warn', (log) => {
    log.debug('a')
    log.info('b')
    log.warn('c\nd', { big: 1n })
    log.error('e')
  })
  expect(lines.map((line) => line.split('\n').length)).toEqual([2, 2])
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(['c\nd', 'e'])
  expect(logged('silent', (log) => log.error('e'))).toEqual([])
})
