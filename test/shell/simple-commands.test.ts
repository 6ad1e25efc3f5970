import { expect, test } from 'vitest'
import { parseLine } from '../../src/shell/lines/parse-line.ts'
import { simpleCommands } from '../../src/shell/lines/simple-commands.ts'

/** Each command as the words of its call, the files that it reads and those that it writes. */
const commandsOf = (line: string) =>
  simpleCommands(line)?.map(({ name, args, reads, writes }) => ({
    words: [name, ...args.map(({ text, pattern }) => (pattern ? `<${text}>` : text))].join(' '),
    ...(reads.length > 0 ? { reads: reads.map(({ text }) => text) } : {}),
    ...(writes.length > 0 ? { writes: writes.map(({ text }) => text) } : {}),
  }))

test.each<[string, object[]]>([
  ['', []],
  ['ls a*', [{ words: 'ls <a*>' }]],
  ['ls "a*"', [{ words: 'ls a*' }]],
  ["ls 'a b' c", [{ words: 'ls a b c' }]],
  ['echo "$? a"', [{ words: 'echo $? a' }]],
  ['export A=b', [{ words: 'export A=b' }]],
  ['export A=/x,y:z@1%2+3-4.5', [{ words: 'export A=/x,y:z@1%2+3-4.5' }]],
  ['> x ls', [{ words: 'ls', writes: ['x'] }]],
  ['ls < a > b', [{ words: 'ls', reads: ['a'], writes: ['b'] }]],
  ['ls > 1', [{ words: 'ls', writes: ['1'] }]],
  ['ls 2>&1', [{ words: 'ls' }]],
  ['ls 2>&-', [{ words: 'ls' }]],
  ['ls >&1x', [{ words: 'ls', writes: ['1x'] }]],
  ['ls >&x1', [{ words: 'ls', writes: ['x1'] }]],
  ['ls; pwd && id | cat', [{ words: 'ls' }, { words: 'pwd' }, { words: 'id' }, { words: 'cat' }]],
])('%j is simple commands', (line, commands) => {
  expect(commandsOf(line)).toEqual(commands)
})

test.each([
  'A=b ls',
  'A=b',
  'l* a',
  'ls "a"*',
  "ls 'a'*b",
  'ls "a $HOME"',
  'ls $HOME',
  'ls ~',
  'ls =x',
  'export A=$(id)',
  'export A=$(id)x',
  'export A="b"',
  'export A=*',
  'export A=b*',
  'ls > $x',
  'echo {a}>y',
  'cat <<EOF\na\nEOF',
  'cat <<< a',
  'ls &',
  '(ls)',
  'ls "',
])('%j is more than that', (line) => {
  expect(simpleCommands(line)).toBeUndefined()
})

test('a line may have 20 000 characters', () => {
  expect(simpleCommands('a'.repeat(20_000))).toHaveLength(1)
  expect(simpleCommands('a'.repeat(20_001))).toBeUndefined()
})

const texts = (count: number) => parseLine(`cat ${'<<< a '.repeat(count)}`)

const braces = (count: number) => parseLine(`echo ${'{a} '.repeat(count)}`)

test('a line is parsed only where that cannot take long', () => {
  expect(parseLine('echo a')).toBeDefined()
  expect(parseLine('echo $[1+1]')).toBeUndefined()
  expect([braces(400) !== undefined, braces(401)]).toEqual([true, undefined])
  expect([texts(400) !== undefined, texts(401)]).toEqual([true, undefined])
  expect(parseLine(`{ ${'{a} '.repeat(400)}; }`)).toBeUndefined()
  expect(parseLine(`${'('.repeat(9_000)}a${')'.repeat(9_000)}`)).toBeUndefined()
})

/** Whether each command runs whatever happened before it, and in the shell itself. */
const firsts = (line: string) => simpleCommands(line)?.map(({ first }) => first)

test('only a command that runs in any case, and in the shell itself, is a first one', () => {
  expect(firsts('cd a')).toEqual([true])
  expect(firsts('cd a; ls')).toEqual([true, true])
  expect(firsts('cd a && ls || pwd')).toEqual([true, false, false])
  expect(firsts('cd a | ls')).toEqual([false, false])
  expect(firsts('ls && cd a | cat; pwd')).toEqual([true, false, false, true])
})

test.each([
  ['a zero-width space', 'ls\u200b a'],
  ['a no-break space', 'ls\u00a0a'],
  ['a space of another width', 'ls\u2003a'],
  ['a line separator', 'ls\u2028rm x'],
  ['a sign that turns the direction', 'ls \u202eabc'],
  ['a carriage return', 'ls\rrm x'],
  ['an escape', 'ls \u001b[2J'],
  ['a null', 'ls \u0000'],
  ['a control sign beyond ASCII', 'ls \u009b'],
])('a line with %s is more than simple commands', (_, line) => {
  expect(simpleCommands(line)).toBeUndefined()
})

test('letters of any language, a tab and a line break are no reason to ask', () => {
  expect(commandsOf('ls\té 文\npwd')).toEqual([{ words: 'ls é 文' }, { words: 'pwd' }])
})
