import { describe, expect, test } from 'vitest'
import { problemOf } from '../../src/rules/check-rule.ts'
import { simpleCommands } from '../../src/shell/lines/simple-commands.ts'
import { matchingRules } from '../../src/shell/matching-rules.ts'
import { ORDINARY_COMMANDS } from '../adversary/ordinary-commands.ts'
import { aContext, effectOn, rulesOf } from './rules-rig.ts'
import { EVERYDAY_LINES } from './ways/everyday-lines.ts'
import { WAYS_OF_GIT } from './ways/options-of-git.ts'
import { WAYS_BY_OPTIONS } from './ways/options-that-run.ts'

const strict = aContext({ harmlessIsAllowed: false })

/** The widest rules that may be written for the commands of a line. */
function widestFor(line: string) {
  return (simpleCommands(line) ?? []).flatMap(({ name, args: [second] }, index) =>
    [`${name} *`, ...(second && /^\w/.test(second.text) ? [`${name} ${second.text} *`] : [])]
      .map((command, width) => ({ id: `r${index}-${width}`, effect: 'allow' as const, command: [command] }))
      .filter((rule) => problemOf(rule) === undefined),
  )
}

describe('[U6] a star of a rule covers no option that runs a program or writes a file (asked for: 6)', () => {
  test.each([...WAYS_OF_GIT, ...WAYS_BY_OPTIONS])('%j', (line) => {
    expect(effectOn(line, rulesOf(widestFor(line)), strict)).not.toBe('allow')
  })

  test.each<[string, string]>([
    ['git grep *', 'git grep -nO x'],
    ['git grep *', 'git grep --open-files x'],
    ['git diff *', 'git diff --output=/tmp/x'],
    ['git diff *', 'git diff --outp /tmp/x'],
    ['git log *', 'git log -p --ext-diff'],
    ['git archive *', 'git archive -o /tmp/x HEAD'],
    ['git fetch *', 'git fetch ext::x'],
    ['sort *', 'sort -o x y'],
    ['sort *', 'sort -no x y'],
    ['sort *', 'sort --out=x y'],
    ['sort *', 'sort --o=x y'],
    ['sort *', '/usr/bin/sort -o x y'],
    ['rg *', 'rg --pre cat x'],
    ['rg *', 'rg --hostname-bin=x y'],
    ['make build *', 'make build SHELL=x'],
    ['make build *', 'make build -f /tmp/x'],
    ['go test *', 'go test -exec x'],
    ['go build *', 'go build -toolexec=x'],
    ['npm test *', 'npm test --script-shell=x'],
    ['curl *', 'curl -sSo x https://example.com'],
    ['unheard-of *', 'unheard-of --editor=x'],
  ])('the rule %j does not allow %j', (command, line) => {
    const program = simpleCommands(line)?.[0]?.name ?? ''
    const own = command.replace(/^\S+/, program)
    expect(effectOn(line, rulesOf([{ id: 'a', effect: 'allow', command: own }]), strict)).toBe('none')
    // The same for a rule of Claude Code that we answer by.
    expect(matchingRules(line, [own], strict.place)).toBeUndefined()
  })

  test.each<[string, string]>([
    ['sort -o *', 'sort -o x y'],
    ['sort --compress-program=* *', 'sort --compress-program=gzip x'],
    ['git grep -O *', 'git grep -O x'],
    ['git diff --output=x', 'git diff --output=x'],
    ['make build CC=* *', 'make build CC=gcc'],
    ['rg --pre cat *', 'rg --pre cat x'],
    ['git grep *', 'git grep -n x -- -O'],
    ['git push *', 'git push -u origin main'],
    ['git add *', 'git add -u'],
    ['git status *', 'git status -sm'],
    ['git log *', 'git log -p --diff-filter=M --progress'],
    ['npm test *', 'npm test -- --run --reporter=dot'],
    ['git push *', 'git push --dry-run'],
    ['sort *', 'sort -k2 -t, --reverse x'],
  ])('the rule %j allows %j: it names the option, or the option runs nothing', (command, line) => {
    expect(effectOn(line, rulesOf([{ id: 'a', effect: 'allow', command }]), strict)).toBe('allow')
  })

  test('a subcommand counts also after options of the program', () => {
    const rule = 'git --no-pager grep *'
    expect(matchingRules('git --no-pager grep -O x', [rule], strict.place)).toBeUndefined()
    expect(matchingRules('git --no-pager push -u', ['git --no-pager push *'], strict.place)).toBeDefined()
  })

  test('a rule of Claude Code that names the option is met too', () => {
    expect(matchingRules('sort -o x y', ['sort -o *'], strict.place)).toEqual(['sort -o *'])
    expect(matchingRules('git push -u origin', ['git push:*'], strict.place)).toEqual(['git push:*'])
  })

  test('a wildcard of the shell that could become an option is not allowed', () => {
    const { place } = strict
    const names = (found: readonly string[]) =>
      aContext({
        place: { ...place, files: { ...place.files, names: () => found } },
        harmlessIsAllowed: false,
      })
    const rules = rulesOf([{ id: 'a', effect: 'allow', command: 'sort *' }])
    expect(effectOn('sort *', rules, names(['a', 'b']))).toBe('allow')
    expect(effectOn('sort *', rules, names(['a', '-ox']))).toBe('none')
    expect(effectOn('sort a*', rules, names(['a', '-ox']))).toBe('allow')
  })

  test('what a session runs all day is allowed by such rules as before', () => {
    const lines = [...ORDINARY_COMMANDS, ...EVERYDAY_LINES].filter((line) => {
      const rules = widestFor(line)
      const commands = simpleCommands(line) ?? []
      const isFor = (index: number) => rules.some(({ id }) => id.startsWith(`r${index}-`))
      return commands.length > 0 && commands.every(({ name }, index) => name !== 'cd' && isFor(index))
    })
    expect(lines.length).toBeGreaterThan(80)
    expect(lines.filter((line) => effectOn(line, rulesOf(widestFor(line)), strict) !== 'allow')).toEqual([])
  })
})
