import { describe, expect, test } from 'vitest'
import { helpOf, shortHelp } from '../../src/command-line/help.ts'
import { arityOf, findCommand, nearestName, parseCommand } from '../../src/command-line/parse-command.ts'
import { COMMANDS } from '../../src/commands/table.ts'

const command = (name: string) => findCommand(COMMANDS, name) ?? expect.fail(`no command ${name}`)

test.each([
  ['', 0, 0],
  ['ID', 1, 1],
  ['[SESSION]', 0, 1],
  ['ID...', 1, Infinity],
  ['SESSION PROMPT...', 2, Infinity],
  ['VERB SESSION [GRANT]', 2, 3],
])('%s takes from %d to %d arguments', (args, least, most) => {
  expect(arityOf(args)).toEqual({ least, most })
})

test('flags and arguments come in any order; what is unknown is refused with the way to the help', () => {
  const { args, flags } = parseCommand(command('deny'), ['web.1', '-m', 'no', '--json', 'web.2'])
  expect(args).toEqual(['web.1', 'web.2'])
  expect(flags.all).toEqual({ message: 'no', json: true })
  expect(() => parseCommand(command('deny'), ['web.1', '--msg', 'no'])).toThrow(
    /^Unknown option '--msg'.*; see plexus deny --help\.$/,
  )
  expect(() => parseCommand(command('rm'), [])).toThrow(/^SESSION is missing; an example: plexus rm /)
  expect(() => parseCommand(command('ls'), ['web'])).toThrow(
    'plexus ls has no use for web; see plexus ls --help.',
  )
})

describe.each(COMMANDS.map((each) => [each.name, each] as const))('%s', (name, each) => {
  test('says in its help what it does, its flags, and an example that it understands', () => {
    const help = helpOf(each)
    expect(help).toContain(each.summary)
    for (const flag of Object.keys(each.flags)) expect(help).toContain(`--${flag}`)
    for (const line of each.example.split('\n')) {
      expect(line).toContain(`plexus ${name}`)
      const typed = line.slice(line.indexOf(`plexus ${name}`)).split(/\s*(?:\|\||>)\s*/)[0] ?? ''
      const words = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([word, quoted]) => quoted ?? word)
      expect(() => parseCommand(each, words.slice(2))).not.toThrow()
    }
  })

  test('has a name, aliases and short flags that nothing else has', () => {
    const names = COMMANDS.flatMap((other) => [other.name, ...(other.aliases ?? [])])
    for (const own of [name, ...(each.aliases ?? [])])
      expect(names.filter((other) => other === own)).toHaveLength(1)
    const shorts = Object.values(each.flags).flatMap(({ short }) => short ?? [])
    expect(new Set([...shorts, 'h']).size).toBe(shorts.length + 1)
  })
})

test('the short help lists every command but those that only programs call', () => {
  const help = shortHelp(COMMANDS, Number.POSITIVE_INFINITY)
  for (const { name, hidden } of COMMANDS) expect(help.includes(`\n  ${name} `)).toBe(!hidden)
})

test.each([
  ['pendign', 'pending'],
  ['alow', 'allow'],
  ['startt', 'start'],
  ['wiat', 'wait'],
  ['inter', 'interrupt'],
  ['frobnicate', undefined],
  ['x', undefined],
])('%s may mean %s', (typed, meant) => {
  expect(nearestName(COMMANDS, typed)).toBe(meant)
})

test.each([80, 40])('on a terminal of %i columns, help is broken between words', (columns) => {
  const whole = [shortHelp(COMMANDS, Number.POSITIVE_INFINITY), ...COMMANDS.map((each) => helpOf(each))]
  const words = new Set(whole.flatMap((help) => help.split(/\s+/)))
  const shown = [shortHelp(COMMANDS, columns), ...COMMANDS.map((each) => helpOf(each, columns))]
  for (const help of shown) {
    const [text = '', examples = ''] = help.split('\n\nExample:\n')
    for (const line of text.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(columns)
    expect(examples).not.toContain('…')
    for (const word of text.split(/\s+/)) expect(words).toContain(word)
  }
})

test('a command that parses its own words has help as the others do, and leaves the rest to itself', () => {
  const [rpc, complete] = [command('rpc'), command('complete')]
  for (const word of ['--help', '-h']) {
    expect(parseCommand(rpc, [word]).flags.isSet('help')).toBe(true)
    expect(parseCommand(complete, [word])).toMatchObject({ args: [word] })
    expect(parseCommand(complete, [word]).flags.isSet('help')).toBe(false)
  }
  expect(parseCommand(rpc, ['pending', '--help']).flags.isSet('help')).toBe(false)
  const help = helpOf(rpc)
  expect(help).toContain('plexus rpc METHOD --help lists the fields of a method.')
  expect(help).not.toContain('--home')
})
