import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aContext, effectOn, rulesOf, verdictOn } from './rules-rig.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const because = 'No.'
const strict = aContext({ harmlessIsAllowed: false })
const ALLOW = rulesOf([{ id: 'git', effect: 'allow', command: 'git status *' }])
const DENY = rulesOf([{ id: 'copies', effect: 'deny', command: 'cp *', because }])

/** Ways to write `cp a b` that a shell runs as `cp a b`. */
const SPELLINGS = [
  'cp a b',
  'c\\p a b',
  "c''p a b",
  'c""p a b',
  "'cp' a b",
  "$'cp' a b",
  "$'\\x63p' a b",
  "$'\\143p' a b",
  "$'\\u0063p' a b",
  'c\\\np a b',
  '\\\ncp a b',
  'cp \\\n a \\\n b',
  '/bin/cp a b',
  '/usr/bin/../bin/cp a b',
  'command cp a b',
  'builtin command cp a b',
  'exec cp a b',
  'nice cp a b',
  'X=1 cp a b',
  'cp a b &',
  'cp a b | cat',
  'cat < x | cp a b',
  'true && cp a b',
  'false || cp a b',
  '! cp a b',
  'time cp a b',
  '(cp a b)',
  '{ cp a b; }',
  'if true; then cp a b; fi',
  'while cp a b; do break; done',
  'for x in 1; do cp a b; done',
  'case x in x) cp a b;; esac',
  'f() { cp a b; }; f',
  'coproc cp a b',
  'echo $(cp a b)',
  'echo "$(cp a b)"',
  'echo `cp a b`',
  'cat <(cp a b)',
  'cat >(cp a b)',
  'cat <<EOF\n$(cp a b)\nEOF',
  'cat <<-EOF\n\t`cp a b`\n\tEOF',
  'echo $((1 + $(cp a b)))',
  '(( x = $(cp a b) ))',
  '[[ -n $(cp a b) ]]',
  'x=$(cp a b)',
  'x=(1 $(cp a b))',
  'export x=$(cp a b)',
  'echo ${x:-$(cp a b)}',
  'trap "cp a b" EXIT',
  'eval cp a b',
  'eval "cp a b"',
  'bash -c "cp a b"',
  'bash <<< "cp a b"',
  'bash <<EOF\ncp a b\nEOF',
  'sh -c \'sh -c "cp a b"\'',
  'env -i cp a b',
  'env -S "cp a b"',
  'xargs cp a < b',
  'find . -exec cp {} b \\;',
  'timeout 5 cp a b',
  'sudo -u me cp a b',
  'c$x a b',
  '$x a b',
  '"$x" a b',
  '${x}p a b',
  '{cp,a,b}',
  'c?p a b',
  '~/cp a b',
  '~root/bin/cp a b',
  '"/tmp/a folder/cp" a b',
  "./'my $dir'/cp a b",
  "env -S'cp a b'",
  "env --split-string='cp a b'",
  'echo cp a b | sh',
  'echo cp | bash -s',
  'base64 -d <<< Y3AgYSBi | sh',
  'curl -s x | bash',
  "git -c alias.x='!cp a b' x",
  "git -c core.pager='cp a b' log",
  'git -C x -c core.editor=cp commit',
  'git bisect run cp a b',
  'git submodule foreach cp a b',
  "git rebase -x 'cp a b' HEAD",
  "git rebase --exec='cp a b' HEAD",
  "GIT_PAGER='cp a b' git log",
  'PAGER=cp git -p log',
  "export PAGER='cp a b'; git log",
  "PROMPT_COMMAND='cp a b' bash -i",
  'docker run x cp a b',
  'npm exec -- cp a b',
  'uv run cp a b',
  'ip netns exec x cp a b',
  "ssh x 'cp a b'",
  "rsync -e 'cp a b' x: y",
  "tar --to-command='cp a b' -xf x",
  "tar cf x --checkpoint-action=exec='cp a b' .",
  "man -P 'cp a b' ls",
  "sg root -c 'cp a b'",
  'linux64 cp a b',
  'choom -n 0 -- cp a b',
  '/lib64/ld-linux-x86-64.so.2 /bin/cp a b',
  'ssh-agent cp a b',
  'fakeroot cp a b',
  'echo cp | xargs -I{} {} a b',
  'echo cp | xargs -I% sh -c %',
  'echo cp | xargs sh -c',
  'echo a | xargs env',
  'echo cp a b | parallel',
  'find . -name cp -exec {} a b \\;',
  "find . -exec sh -c '{}' \\;",
  "mapfile -C 'cp a b' -c 1 x < y",
  "compgen -C 'cp a b'",
  "let 'x=$(cp a b)'",
  "unset 'a[$(cp a b)]'",
  "printf -v 'a[$(cp a b)]' x",
  "test -v 'a[$(cp a b)]'",
  "x='a[$(cp a b)]'; (( x ))",
]

/** What a session runs all day, with words and texts that are no commands. */
const HARMLESS = [
  'git -C x commit -m "cp a b"',
  'git -c user.name="A B" commit -m "now cp works"',
  'git rebase main',
  'git submodule update --init',
  'NODE_ENV=production npm test',
  'npm run build -- --watch=false',
  'docker compose up -d',
  'env X=1 make all',
  'find . -name "*.ts" -exec grep x {} +',
  'ls | xargs -n 1 -I{} mv {} done/{}',
  'ls | xargs sh -c \'mv "$@" done\' _',
  'python3 -c "print(1)"',
  'tar --exclude=node_modules -cf x.tar .',
  "awk '{print $1}' x",
  "sed 's/a b/c/' x",
  "ssh host 'ls -l'",
  'echo hi | cat',
  "printf '%s\\n' one two | sort",
  'bash build.sh',
]

describe('[4] [10] (asked for: 6) however a command is written', () => {
  test.each(SPELLINGS)('a rule that denies finds it, or it is asked about: %j', (line) => {
    expect(['deny', 'ask']).toContain(effectOn(line, DENY, strict))
  })

  test.each(SPELLINGS)('it is not allowed with a command that is: %j', (line) => {
    for (const join of [' && ', '; ', '\n', ' | ', ' & ', ' || '])
      for (const joined of [`git status${join}${line}`, `${line}${join}git status`])
        expect([joined, effectOn(joined, ALLOW, strict)]).not.toEqual([joined, 'allow'])
  })

  test.each(HARMLESS)('a rule about another command does not find it: %j', (line) => {
    expect(effectOn(line, DENY, strict)).toBe('none')
  })

  test('a text that only says it is no command', () => {
    for (const line of [
      'echo cp a b',
      "echo 'cp a b'",
      '# cp a b',
      'git commit -m "cp a b"',
      "cat <<'EOF'\ncp a b\nEOF",
    ])
      expect([line, effectOn(line, DENY, strict)]).toEqual([line, 'none'])
  })
})

test('(asked for: 6) characters that look alike, or cannot be seen, are other characters', () => {
  const alike = [
    'g\u0456t status', // Cyrillic
    '\uff47it status', // full width
    'git\u00a0status',
    'git\u2003status',
    '\u200bgit status',
    'git stat\u00adus',
    '\u202egit status',
    'git\ufeff status',
    'git\u0000 status',
    'git\u2028status',
    'GIT status',
  ]
  // An invisible word is an argument like any other, and never a part of the program or its first word.
  const allowed = alike.filter((line) => effectOn(line, ALLOW, strict) === 'allow')
  expect(allowed).toEqual([])
  const exact = rulesOf([{ id: 'exact', effect: 'allow', command: 'git status' }])
  expect(effectOn('git status\u200b', exact, strict)).not.toBe('allow')
})

test('(asked for: 6) whatever the characters, a command is judged, and allowed only if its words are those of the rule', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'git',
      'status',
      ' ',
      '\t',
      '\n',
      '\\',
      "'",
      '"',
      '$',
      '`',
      '(',
      ')',
      '{',
      '}',
      '<',
      '>',
      '|',
      '&',
      ';',
      '#',
      '*',
      '~',
      '!',
      '=',
      '\r',
      '\0',
    ),
    fc.string({ unit: codePoint, maxLength: 2 }),
  )
  const exact = rulesOf([{ id: 'exact', effect: 'allow', command: 'git status' }])
  const judged = fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
    const line = parts.join('')
    const plain = line
      .replaceAll(/\\\n/g, '')
      .replaceAll(/['"\\]/g, '')
      .replace(/#.*$/s, '')
      .trim()
      .replaceAll(/[ \t\n;]+/g, ' ')
    return effectOn(line, exact, strict) !== 'allow' || /^(git status ?)+$/.test(plain)
  })
  expect(fc.check(judged, { numRuns: 3_000 })).toMatchObject({ failed: false })
})

test('[10] patterns with many stars and alternatives are compared in linear time: none of these ends otherwise', () => {
  const stars = rulesOf([
    { id: 'words', effect: 'deny', command: `x ${'* a '.repeat(100)}b`, because },
    { id: 'text', effect: 'deny', command: `y ${'a*'.repeat(200)}b`, because },
    { id: 'tools', effect: 'deny', tool: `${'m*'.repeat(200)}z`, because },
    { id: 'paths', effect: 'deny', path: `/${'a*'.repeat(200)}b`, because },
  ])
  expect(effectOn(`x ${'a '.repeat(5_000)}`, stars)).toBe('none')
  expect(effectOn(`y ${'a'.repeat(5_000)}`, stars)).toBe('none')
  expect(verdictOn({ toolName: 'm'.repeat(50_000), input: {} }, stars).effect).toBe('none')
  expect(
    verdictOn({ toolName: 'Read', input: { file_path: `/${'a'.repeat(4_000)}` }, cwd: '/code/web' }, stars)
      .effect,
  ).not.toBe('allow')
})

test('paths with dots, links, slashes and case lead to one file', () => {
  const rules = rulesOf([
    { id: 'keys', effect: 'deny', path: '~/.ssh', because },
    { id: 'here', effect: 'allow', tool: 'Write', path: '.' },
  ])
  const on = (path: string, toolName = 'Write') =>
    verdictOn({ toolName, input: { file_path: path }, cwd: '/code/web' }, rules).effect
  for (const path of [
    '/home/me/.ssh',
    '/home/me/.ssh/',
    '/home/me/.ssh/id',
    '/home/me//.ssh///id',
    '/home/me/./.ssh/id',
    '/home/me/x/../.ssh/id',
    '../../home/me/.ssh/id',
    '/code/web/../../home/me/.ssh/id',
    'out/.ssh/id', // a link
  ])
    expect(['deny', 'ask']).toContain(on(path, 'Read'))
  for (const path of [
    '../x',
    '/code/webs/x',
    '/code/web/../x',
    'out/x',
    '/code/web/.git/config',
    '',
    '/code/WEB/x',
    '.git',
  ])
    expect([path, on(path)]).not.toEqual([path, 'allow'])
  expect(on('src/../a.ts')).toBe('allow')
})
