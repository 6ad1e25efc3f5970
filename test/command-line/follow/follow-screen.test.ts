import { expect, test } from 'vitest'
import type { Footer } from '../../../src/command-line/follow/footer-lines.ts'
import { FooterScreen } from '../../../src/command-line/follow/follow-screen.ts'
import { PlainScreen } from '../../../src/command-line/follow/plain-screen.ts'
import { lineOf } from '../../../src/command-line/terminal/typed-line.ts'
import { BARE_LOOK } from '../../../src/command-line/terminal/terminal-look.ts'

const footer = (fields: Partial<Footer> = {}): Footer => ({
  status: 'web',
  head: [],
  choices: [],
  label: '> ',
  draft: lineOf(''),
  needsPerson: true,
  ...fields,
})
function stream() {
  const written = { text: '', columns: 20, rows: 24 }
  return Object.assign(written, { write: (text: string) => (written.text += text) })
}
const [K, J] = ['\u001B[K', '\u001B[J']

test('lines are printed above the footer, which is painted again after them; nothing above it is touched', () => {
  const out = stream()
  const screen = new FooterScreen(out, BARE_LOOK)
  screen.paint(footer())
  expect(out.text).toBe(`\r── web ────────────${K}\r\n> ${K}${J}`)
  out.text = ''
  screen.paint(footer())
  expect(out.text).toBe('')
  screen.print(['one', 'two'])
  expect(out.text).toBe(`\r\u001B[1Aone${K}\r\ntwo${K}\r\n── web ────────────${K}\r\n> ${K}${J}`)
  out.text = ''
  screen.clear()
  expect(out.text).toBe(`\r\u001B[1A${J}`)
})

test('the end of a long line that is typed is what is shown', () => {
  const out = stream()
  new FooterScreen(out, BARE_LOOK).paint(footer({ draft: lineOf('0123456789abcdefghijklmnop') }))
  expect(out.text).toContain(`…89abcdefghijklmnop${K}`)
})

test('the cursor stands where the next character is typed, also when only it moves', () => {
  const out = stream()
  const screen = new FooterScreen(out, BARE_LOOK)
  screen.paint(footer({ draft: { before: 'a', after: '日b' } }))
  expect(out.text.endsWith(`> a日b${K}${J}\u001B[3D`)).toBe(true)
  out.text = ''
  screen.paint(footer({ draft: { before: 'a日', after: 'b' } }))
  expect(out.text.endsWith(`> a日b${K}${J}\u001B[1D`)).toBe(true)
})

test('in a terminal that became narrower, the footer is found where its rows were wrapped', () => {
  const out = stream()
  const screen = new FooterScreen(out, BARE_LOOK)
  screen.paint(footer())
  out.text = ''
  out.columns = 10
  screen.resized()
  // The first row of 19 characters takes two rows of 10 now.
  expect(out.text.startsWith('\r\u001B[2A')).toBe(true)
})

test('without repainting, choices are a list with numbers, and typing is echoed', () => {
  const out = stream()
  const screen = new PlainScreen(out, BARE_LOOK)
  const choices = [
    { key: 'a', label: 'allow once', does: 'show' },
    { key: 'd', label: 'deny', does: 'reason' },
  ] as const
  const asks = footer({ choices, label: undefined })
  screen.print(['web.1  wants to run: ls'])
  screen.paint(asks)
  screen.paint(asks)
  screen.paint({ ...asks, draft: lineOf('12') })
  screen.paint({ ...asks, draft: lineOf('1') })
  screen.print(['= settled'])
  expect(out.text).toBe(
    'web.1  wants to run: ls\r\n1. allow once\r\n2. deny\r\nNumber, then Enter: 12\b \b\r\n= settled\r\n',
  )
  // eslint-disable-next-line no-control-regex -- no cursor is moved
  expect(out.text).not.toContain('\u001B')
})

test('without repainting, a session at work asks for nothing until something is typed', () => {
  const out = stream()
  const screen = new PlainScreen(out, BARE_LOOK)
  screen.paint(footer({ needsPerson: false }))
  expect(out.text).toBe('')
  screen.paint(footer({ needsPerson: false, draft: lineOf('h') }))
  screen.paint(footer({ needsPerson: false, draft: lineOf('') }))
  expect(out.text).toBe('> h\b \b')
})
