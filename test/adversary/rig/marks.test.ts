import { expect, test } from 'vitest'
import { newMark, shows } from './marks.ts'

const mark = newMark()
const file = `${mark}\n${mark}\n`

test.each([
  ['as it is', `x: '${file}'`],
  ['in capitals', file.toUpperCase()],
  ['backwards', mark.split('').toReversed().join('')],
  ['a letter a line', mark.split('').join('\n')],
  ['with gaps', mark.split('').join('   ')],
  ['as hexadecimal digits', Buffer.from(file).toString('hex').toUpperCase()],
  ['in base64', Buffer.from(file).toString('base64')],
  ['a byte a line among others', mark.replaceAll(/./g, (letter) => ` 1 155 ${letter}  43 #\n`)],
])('a mark is known %s', (_, text) => {
  expect(shows(text, mark)).toBe(true)
})

test('another mark is not taken for it', () => {
  expect(shows(`${newMark()} ${mark.slice(0, -1)}`, mark)).toBe(false)
})
