import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { couldAllowAnyCommand } from '../../src/shell/any-command-rule.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')

describe('S28: a rule that could allow any command', () => {
  test.each([
    'Bash',
    'bash',
    'Bash()',
    'Bash(*)',
    'Bash(:*)',
    'Bash( ** )',
    'Bash(*:*)',
    '*',
    'B*',
    'Monitor',
    'REPL',
    ...LETTERS.map((letter) => `Bash(${letter}*)`),

    'Bash(git*)',
    'Bash(?it *)',
    'Bash(* --version)',
    'Bash(*;*)',
    'Bash(ls; *)',
    'Bash(ls && *)',
    'Bash(ls|*)',

    'Bash(sh *)',
    'Bash(sh:*)',
    'Bash(/bin/sh *)',
    'Bash(./sh *)',
    'Bash(SH *)',
    'Bash(bash -c ls)',
    'Bash("sh" *)',

    'Bash(FOO=1 sh *)',
    'Bash(PATH=. ls *)',
    'Bash(env *)',
    'Bash(xargs *)',
    'Bash(timeout 3 *)',
    'Bash(sudo *)',

    'Bash(python *)',
    'Bash(python3 *)',
    'Bash(python3.12 *)',
    'Bash(node *)',
    'Bash(perl:*)',
    'Bash(awk *)',

    'Bash(find *)',
    'Bash(ssh *)',
    'Bash(npx *)',
    'Bash(tar *)',
    'Bash(. *)',
    'Bash(~/sh *)',
    'Bash($SHELL *)',

    'Bash(git *)',
    'Bash(git -c *)',
    'Bash(npm *)',
    'Bash(npm exec *)',
    'Bash(docker run *)',
    'Bash(go run *)',
    'Bash(git bisect *)',
    'Bash(make *)',
    'Bash(echo $(id))',
    'Bash(ls\nid)',
    'Bash(a (b)',
    'Read(x',
    'Bash(git diff:* x:*)',
  ])('%s is one', (rule) => {
    expect(couldAllowAnyCommand(rule)).toBe(true)
  })

  test.each([
    'Bash(git diff *)',
    'Bash(git diff:*)',
    ' Bash(git diff *) ',
    'Bash( git diff:* )',
    'Bash(git  diff *)',
    'Bash(npm test:*)',
    'Bash(npm run lint)',
    'Bash(npm run *)',

    'Bash(touch *)',
    'Bash(touch:*)',
    'Bash(/usr/bin/touch *)',
    'Bash(make test *)',
    'Bash(git commit -m "x" *)',

    'Bash(ls)',
    'Bash(clang++-17 *)',
    'Read',
    'Write',
    'Edit(src/**)',
    'mcp__web__get',
    'mcp__web__*',
    'WebFetch(domain:x)',
  ])('%s is none', (rule) => {
    expect(couldAllowAnyCommand(rule)).toBe(false)
  })

  test('whatever precedes the first wildcard, half a word does not name a program', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,8}$/), (start) => {
        expect(couldAllowAnyCommand(`Bash(${start}*)`)).toBe(true)
      }),
    )
  })
})
