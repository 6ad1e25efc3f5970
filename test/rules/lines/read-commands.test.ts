import { describe, expect, test } from 'vitest'
import { parsedLine } from '../../../src/rules/lines/read-commands.ts'

/** Every command that a line names: `?` is a word that only the shell knows, brackets stand around a command that may be just a text. */
function commandsIn(line: string): string[] {
  return parsedLine(line).commands.map(({ plain, certain }) => {
    const text = plain.map((word) => word ?? '?').join(' ')
    return certain ? text : `[${text}]`
  })
}

describe('the commands of a line', () => {
  test.each([
    ['git push; make', ['git push', 'make']],
    ['cat a > b', ['cat a']],
    ['for x in 1; do make; done', ['make']],
    ['if a; then b; else c; fi', ['a', 'b', 'c']],
    ['f() { make; }; f', ['f', 'make']],
    ['(make) && { ninja; }', ['make', 'ninja']],
    ['echo "$(make)"', ['echo ?', 'make']],
    ['echo `make`', ['echo ?', 'make']],
    ['cat <(make)', ['cat ?', 'make']],
    ['/usr/bin/GIT push', ['git push']],
    ['~/bin/Git push', ['git push']],
    ["'/a b/Make' x", ['make x']],
    ['git $x', ['git ?']],
    ['git *.ts', ['git ?']],
    ['$x push', ['? push']],
    ['A=1', []],
    ['{ export A=b B=$x; }', ['export A=b ?', 'a=b ?', '[b]']],
    ['{ git *.ts a"$x" a*"b" "a b" a\\ b; }', ['git ? ? ? a b a b']],
  ])('%s', (line, commands) => {
    expect(commandsIn(line)).toEqual(expect.arrayContaining(commands))
    expect(commandsIn(line)).toHaveLength(commands.length)
  })
})

const inner = (line: string) => parsedLine(line).commands.map((command) => command.inner)

describe('a program that runs others', () => {
  test.each([
    ['sudo -u root rm x', ['sudo -u root rm x', '-u root rm x', 'root rm x', 'rm x', 'x']],
    ['nice make', ['nice make', 'make']],
    ['sh -c "make; ninja"', ['sh -c make; ninja', '-c make; ninja', 'make; ninja', 'make', 'ninja']],
    ['eval "make"', ['eval make', 'make']],
    ['bash <<< "make"', ['bash', 'make']],
    ['bash <<EOF\nmake\nEOF', ['bash', 'make']],
    ['echo "make x" | sh', ['echo make x', 'sh', '[make x]']],
    ['cat <<EOF | sh\nmake\nEOF', ['cat', 'sh', '[make]']],
    ['echo "make x" | cat', ['echo make x', 'cat']],
    ['cat <<EOF\nmake\nEOF', ['cat']],
    ['{ cat; } <<< "make x" | sh', ['cat', 'sh', '[make x]']],
    ['echo "make x" | sudo sh', ['echo make x', 'sudo sh', 'sh', '[make x]']],
    ['echo "make x" | sudo cat', ['echo make x', 'sudo cat', 'cat']],
    ['nohup "make; ninja"', ['nohup make; ninja', 'make; ninja', 'make', 'ninja']],
    ['{ sh > "make x"; }', ['sh']],
    [`sh -c 'echo "make x" | sh'`, expect.arrayContaining(['echo make x', 'sh', '[make x]'])],
  ])('%s', (line, commands) => {
    expect(commandsIn(line)).toEqual(commands)
  })

  test('has its commands marked as those of its arguments', () => {
    expect(inner('nice make')).toEqual([false, true])
    expect(inner('make; ninja')).toEqual([false, false])
    expect(inner('sh -c "make x"')).toEqual([false, true, true, true])
  })
})

/** Whether a line is read as a whole: if not, it could run anything. */
describe('a line is not whole', () => {
  test.each([
    ['with a program that only the shell knows', '$x push'],
    ['with an alias', 'alias d=rm; d x'],
    ['with an error', 'make; fi'],
    ['with words for a wrapper that only the shell knows', 'sudo $x'],
    ['with words for a wrapper in the arguments of another', 'sudo -u root env $x'],
    ['with a script that only the shell knows', 'sh -c "$x"'],
    ['with a script that is not whole', 'sh -c "make; fi"'],
    ['with one of its scripts not whole', 'sh -c "make x"; sh -c "make; fi"'],
    ['with a substitution that is not whole', 'echo $(make; fi)'],
    ['with more arguments than are read', `sudo ${'a '.repeat(70)}`],
    ['with scripts in scripts without an end', `${'eval '.repeat(3)}"$(printf x)"`],
  ])('%s', (_, line) => {
    expect(parsedLine(line).whole).toBe(false)
  })
})

describe('a line is whole', () => {
  test.each([
    ['with arguments that only the shell knows', 'git $x *.ts'],
    ['with many arguments of an ordinary program', `git ${'a '.repeat(70)}`],
    ['with as many arguments as are read', `sudo ${'a '.repeat(64)}`],
    ['with an unknown argument of a program that does not run its arguments', 'find $x -name a'],
    ['with a text that may reach a shell and cannot be read', 'echo "make; fi" | sh'],
    ['with a substitution', 'echo $(make)'],
    ['with nothing', ''],
  ])('%s', (_, line) => {
    expect(parsedLine(line).whole).toBe(true)
  })
})

const quoted = (script: string, depth: number): string =>
  depth === 0 ? script : quoted(`sh -c '${script.replaceAll("'", `'\\''`)}'`, depth - 1)

test('a script in a script is read, up to five times', () => {
  expect(commandsIn(quoted('make x', 5))).toContain('make x')
  expect(parsedLine(quoted('make x', 5)).whole).toBe(true)
  expect(parsedLine(quoted('make x', 7)).whole).toBe(false)
})

test('of the arguments of a program that runs others the first 64 are read', () => {
  expect(commandsIn(`sudo ${'a '.repeat(70)}`)).toHaveLength(65)
})

test('only a line of simple commands has them', () => {
  expect(parsedLine('git push; make').simple?.map(({ name }) => name)).toEqual(['git', 'make'])
  expect(parsedLine('for x in 1; do make; done').simple).toBeUndefined()
})
