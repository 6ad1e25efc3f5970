import { describe, expect, test } from 'vitest'
import { editsInPlace } from '../../src/shell/edits-in-place.ts'
import { isHarmless, type ShellContext } from '../../src/shell/harmless.ts'
import type { FileLookup } from '../../src/shell/path-bounds.ts'

/** A disk without links: `/code` is the session's folder, with two files, a folder and a plain repository. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  '/': ['code', 'other'],
  '/other': ['secret'],
  '/code': ['a.txt', 'b.txt', 'src', '.git'],
  '/code/src': ['c.ts'],
}
const FILES = new Set(['/code/a.txt', '/code/b.txt', '/code/src/c.ts', '/other/secret'])
const files: FileLookup = {
  realPath: (path) => {
    const isFolder = path.endsWith('/.')
    const plain = (isFolder ? path.slice(0, -2) : path) || '/'
    if (plain in FOLDERS) return plain
    return FILES.has(plain) && !isFolder ? plain : undefined
  },
  hasEntry: (path) => path in FOLDERS || FILES.has(path),
  names: (path) => FOLDERS[path],
  text: () => undefined,
  hasBytes: () => undefined,
}
const place: ShellContext = {
  files,
  bounds: { folders: ['/code'], except: [] },
  cwd: '/code',
  trusted: true,
}
const harmless = (line: string) => isHarmless(line, place)

/** By program: uses that only print or read, and uses that could do more or of which that is not known. */
const USES: readonly [string, string[], string[]][] = [
  ['true', ['', 'a', '--x', '/other/secret'], []],
  ['false', ['', '-x', '/other/secret'], []],
  [':', ['', '-x', '/other/secret'], []],
  ['echo', ['a', '-n a', '--x', '/other/secret'], ['../*']],
  [
    'printf',
    [
      '%s a',
      '/other/secret',
      "'%-5.2s %% %b %c %q' 'x[$(y)]' PATH=1",
      '%d 5',
      "'%5.2f %x' 1.5 +2",
      '-- %s a',
    ],
    ['-v PATH x', "%d 'psvar[$(y)0]'", '%d PATH=1', '-- %d _', "'%*s' PATH=1 x", '%d *', 'a*', '%i 1 x'],
  ],
  ['pwd', ['', '-L', '-P'], ['a', '-x', '--x']],
  ['whoami', [''], ['a', '-x', '--version']],
  ['id', ['', '-u', '-gn', '-G'], ['root', '-z']],
  ['groups', [''], ['root', '-x']],
  ['uname', ['', '-a', '-srvmo'], ['x', '-p']],
  ['nproc', [''], ['x', '--all']],
  ['arch', [''], ['x', '-x']],
  ['uptime', ['', '-p', '-s'], ['x', '-x']],
  [
    'date',
    ['', '-u', '-I', '-R', '+%s', '--utc', '--iso-8601=s', '--rfc-3339=s'],
    ['0101', '01+01', '-s 0101', '-f a.txt', '+%s +%s', '--set=x', '--file=a'],
  ],
  ['sleep', ['1', '/1'], ['1 2', '-x']],
  ['seq', ['1 3', '/1', '-w 1 3', '-s, 1 3'], ['-f %g 1']],
  ['basename', ['/other/secret', '-a x y', '-s .ts a.ts'], ['-z a', '--x']],
  ['dirname', ['/other/secret'], ['-z a']],
  ['which', ['node', '/bin/node', '-a node'], ['-s node']],
  ['type', ['node', '/bin/node', '-atpP node'], ['-f node']],
  [
    'ls',
    ['', '-la', 'src', '-1', '-R src', '--color', '--all', '--sort=size', '--time-style=iso'],
    ['/other', '-D', '--hyperlink', '--dereference'],
  ],
  [
    'cat',
    ['a.txt', '-A a.txt', '--number a.txt', '-', '--show-all a.txt', '-- -x', '-- --x', '-- -'],
    ['/other/secret', '-x a.txt', '--x', '@a', '-5', '-- /other/secret'],
  ],
  [
    'head',
    ['a.txt', '-5 a.txt', '-n 5 a.txt', '-c5 a.txt', '--lines=5 a.txt', '--quiet a.txt'],
    ['/other/secret', '-x', '--x', '-n5x a.txt', '-n/-n a.txt'],
  ],
  [
    'tail',
    ['a.txt', '-5 a.txt', '-n +5 a.txt', '--bytes=5 a.txt', '--verbose a.txt'],
    ['-f a.txt', '-F a.txt', '--follow a.txt', '/other/secret'],
  ],
  ['nl', ['a.txt', '-b a a.txt', '--help'], ['/other/secret', '-x', '--body-numbering=a']],
  ['tac', ['a.txt', '-r a.txt', '--version'], ['/other/secret', '-x', '--regex']],
  ['rev', ['a.txt'], ['/other/secret', '-x', '--help']],
  [
    'wc',
    ['a.txt', '-clLmw a.txt', '--lines a.txt', '--words a.txt'],
    ['/other/secret', '--files0-from=a.txt', '-x'],
  ],
  [
    'cut',
    ['-d, -f1 a.txt', '--delimiter=, --fields=1 a.txt', '--complement a.txt'],
    ['/other/secret', '-x', '--x'],
  ],
  ['paste', ['a.txt b.txt', '-d, -s a.txt', '--help'], ['/other/secret', '-x', '--delimiters=a']],
  ['tr', ['a b', '/ :', '-d a', '--delete a', '--squeeze-repeats a'], ['-x a', '--x']],
  ['column', ['-t a.txt', '--table a.txt', '--separator=, a.txt'], ['/other/secret', '-z', '--help']],
  ['fold', ['-w 5 a.txt', '--width=5 a.txt', '--spaces a.txt'], ['/other/secret', '-x']],
  ['expand', ['-t 4 a.txt', '-i a.txt', '--help'], ['/other/secret', '-x', '--tabs=4']],
  [
    'comm',
    ['a.txt b.txt', '-12 a.txt b.txt', '-3 a.txt b.txt', '--version'],
    ['a.txt /other/secret', '-x', '--total'],
  ],
  [
    'sort',
    ['a.txt', '-rn a.txt', '-k 2 a.txt', '--reverse --unique a.txt', '--key=2 a.txt'],
    [
      '-o b.txt a.txt',
      '--output=b.txt a.txt',
      '-T /tmp a.txt',
      '--compress-program=sh a.txt',
      '--files0-from=a.txt',
      '-S 1 a.txt',
      '-m a.txt',
      '/other/secret',
    ],
  ],
  ['uniq', ['a.txt', '-c a.txt', '--count a.txt'], ['a.txt b.txt', '/other/secret', '-x']],
  [
    'diff',
    ['a.txt b.txt', '-u a.txt b.txt', '-U3 a.txt b.txt', '--brief a.txt b.txt'],
    [
      'src src',
      'a.txt src',
      'a.txt *.txt',
      'a.txt /other/secret',
      '-r a.txt b.txt',
      '--output=x a.txt b.txt',
      '-x a a.txt b.txt',
    ],
  ],
  ['cmp', ['a.txt b.txt', '-s a.txt b.txt', '--help'], ['a.txt /other/secret', '-x', '--silent a.txt b.txt']],
  ['md5sum', ['a.txt', '-b a.txt', '--version'], ['-c a.txt', '--check a.txt', '/other/secret']],
  ['sha1sum', ['a.txt', '-t a.txt', '--version'], ['-c a.txt', '--check a.txt', '/other/secret']],
  ['sha256sum', ['a.txt', '-b a.txt', '--version'], ['-c a.txt', '--check a.txt', '/other/secret']],
  ['sha512sum', ['a.txt', '-b a.txt', '--version'], ['-c a.txt', '--check a.txt', '/other/secret']],
  ['cksum', ['a.txt', '--help'], ['-c a.txt', '/other/secret']],
  ['base64', ['a.txt', '-d a.txt', '--decode a.txt', '-w0 a.txt'], ['/other/secret', '-x a.txt', '--x']],
  ['hexdump', ['-C a.txt', '-n 5 a.txt'], ['/other/secret', '-f b.txt a.txt', '--help']],
  ['xxd', ['a.txt', '-c8 a.txt', '-p a.txt'], ['a.txt b.txt', '-r a.txt', '/other/secret', '--help']],
  ['od', ['-c a.txt', '-A x a.txt', '--version'], ['/other/secret', '-S a.txt', '--strings a.txt']],
  [
    'file',
    ['a.txt', '-b a.txt', '--mime-type a.txt'],
    ['-f b.txt', '-m b.txt a.txt', '-C a.txt', '--files-from b.txt', '-L a.txt', '/other/secret'],
  ],
  [
    'stat',
    ['a.txt', '-c %s a.txt', '--format=%s a.txt'],
    ['/other/secret', '-L a.txt', '--dereference a.txt'],
  ],
  ['readlink', ['a.txt', '-f a.txt', '--help'], ['/other/secret', '-x', '--canonicalize a.txt']],
  ['realpath', ['a.txt', '-e a.txt', '--help'], ['/other/secret', '-x', '--relative-to=/other a.txt']],
  [
    'du',
    ['src', '-sh src', '-d1 src', '--max-depth=1 src', '--summarize src'],
    ['/other', '-L src', '--files0-from=a.txt', '-X a.txt src'],
  ],
  ['df', ['', '-h', '--human-readable'], ['src', '-x', '--output']],
  [
    'tree',
    ['src', '-L 2 src', '-2 src', '--dirsfirst src', '--noreport src'],
    ['/other', '-l src', '-o b.txt src', '--fromfile a.txt', '-R src'],
  ],
  [
    'grep',
    [
      'x a.txt',
      '-rn x src',
      '-e x a.txt',
      '--regexp=x a.txt',
      '/other/secret a.txt',
      '-A3 x a.txt',
      "--include='*.ts' -r x src",
    ],
    [
      'x /other/secret',
      '-f a.txt b.txt',
      '--file=a.txt b.txt',
      '-R x src',
      '-e x /other/secret',
      '--regexp=x /other/secret',
      '-d recurse x src',
      '* a.txt',
    ],
  ],
  [
    'rg',
    ['x src', '--files src', '-e x src', '--regexp=x src', '-g !a x src', '--hidden x src'],
    [
      'x /other',
      '--files /other',
      '-e x /other',
      '--pre sh x src',
      '-f a.txt src',
      '-z x src',
      '-L x src',
      '--follow x src',
      '--hostname-bin=sh x src',
    ],
  ],
  [
    'sed',
    ["-n '1,20p' a.txt", "-n '$p' a.txt", "-n '1p;3q' a.txt", '-n 5p a.txt', "-nE '1,$p;4,5p' a.txt"],
    [
      "-i '1p' a.txt",
      "'1d' a.txt",
      "-n '1e' a.txt",
      "-n 's/a/b/' a.txt",
      "-n '1w b.txt' a.txt",
      "-n 'x1p' a.txt",
      "-n '1px' a.txt",
      '-f a.txt b.txt',
      '-n 1p /other/secret',
      '-n * a.txt',
      '--expression=1p a.txt',
    ],
  ],
  [
    'jq',
    [
      '. a.txt',
      '-r .a a.txt',
      "'.a | keys' a.txt",
      "'.[0].b?' a.txt",
      `'."a b"' a.txt`,
      '--raw-output .a a.txt',
      "'length, type' a.txt",
    ],
    [
      'env a.txt',
      "'$ENV' a.txt",
      "'.a | input' a.txt",
      '-n input a.txt',
      '-f a.txt',
      '--from-file a.txt',
      '--arg a b .a a.txt',
      '.a /other/secret',
      "'.a | env' a.txt",
      "'keys_unsorted' a.txt",
    ],
  ],
  [
    'test',
    ['-f a.txt', '-d src', '-n a.txt', '-t 1', '1 -gt 2', '-n a.txt -a 1 -ne 2'],
    [
      '-f /other/secret',
      '-f /other/secret -a -f a.txt',
      '--x',
      "-t 'psvar[$(y)0]'",
      '_ -gt 0',
      '0 -ge PATH=1',
    ],
  ],
  ['[', ['-f a.txt ]', '1 -ne 2 ]'], ['-f /other/secret ]', '--help ]', "'psvar[$(y)0]' -gt 0 ]", '-t * ]']],
  ['free', ['', '-h', '-m'], ['x', '-s 1', '--help']],
  ['node', ['--version'], ['', 'a.js', '--version a', '-v', '-e 1']],
  ['sqlite3', ['--version'], ['a.db', '']],
  ['npx', [], ['--version', '']],
  ['command', ['-v node'], ['node', '-v', '-v a b', '-V node', '-v *', '-p node']],
  [
    'find',
    [
      '.',
      'src',
      "src -name '*.ts'",
      '. -type f -print',
      "src '(' -empty -o -size 1 ')' -ls",
      '. -maxdepth 1 -mindepth 1',
      '! -name a',
      "-name 'a'",
      '. -not -path x -prune',
      '-printf %p',
      '',
    ],
    [
      '/other',
      'src /other -name a',
      '. -delete',
      '. -exec sh',
      '. -execdir sh',
      '. -ok sh',
      '. -fprint b.txt',
      '. -fls b.txt',
      '. -name *',
      '. -name',
      '. -newer /other/secret',
      '. -samefile a',
      '. -files0-from a',
      '-L .',
      '-follow',
      '. -type f -delete',
      '. -print -exec sh',
    ],
  ],
]

describe.each(USES)('%s', (program, known, unknown) => {
  test.each(known)('%s is harmless', (args) => {
    expect(harmless(`${program} ${args}`.trim())).toBe(true)
  })

  test.each(unknown)('%s is not known to be', (args) => {
    expect(harmless(`${program} ${args}`.trim())).toBe(false)
  })
})

test('what is harmless by itself is so in a line, and one other command spoils the line', () => {
  expect(harmless('ls && cat a.txt; pwd || true')).toBe(true)
  expect(harmless('ls; rm a.txt')).toBe(false)
  expect(harmless('rm a.txt | cat')).toBe(false)
  expect(harmless('')).toBe(false)
  expect(harmless('cat < a.txt 2> /dev/null')).toBe(true)
  expect(harmless('cat < /dev/null')).toBe(true)
  expect(harmless('cat < /other/secret')).toBe(false)
  expect(harmless('cat a.txt > b.txt')).toBe(false)
})

test('after a change of the folder paths are meant from there', () => {
  expect(harmless('cd src && cat c.ts')).toBe(true)
  expect(harmless('cd ./src/ && cat ../a.txt')).toBe(true)
  expect(harmless('cd /code/src && cat c.ts')).toBe(true)
  for (const line of [
    'cd .. && cat a.txt',
    'cd src && cd .. && cat a.txt', // only the first change is certain
    'cd /other && cat secret',
    'cd src; cat ../../other/secret',
    'cd && cat a.txt',
    'cd - && ls',
    'cd -P src',
    'cd src src && ls',
    'cd nowhere && ls',
    'cd a.txt && ls',
    'cd s* && ls',
    'cd src > /dev/null && ls',
    'cd src < a.txt && ls',
    'ls | cd src',
  ])
    expect([line, harmless(line)]).toEqual([line, false])
})

const edits = (line: string) => editsInPlace(line, place)

describe('an edit in place', () => {
  test.each([
    'mkdir new',
    'mkdir -p src/deep',
    'mkdir --parents new',
    'touch a.txt',
    'touch -acm a.txt',
    'rm a.txt',
    'rm -rf src',
    'rm --recursive --force src',
    'rmdir -p src',
    'mv a.txt src/d.txt',
    'mv -f a.txt b.txt',
    'cp -r src copy',
    'cp --recursive src copy',
    "sed -i 's/a/b/' a.txt",
    "sed -i 's|a|bcd|gp' a.txt",
    "sed -i 's/a/b\\/c/' a.txt",
    "sed -i -E 's#a\\#b#c#I2' a.txt",
    'touch a.txt > /dev/null',
    'cat a.txt && touch b.txt',
  ])('is %s', (line) => {
    expect(edits(line)).toBe(true)
  })

  test.each([
    'rm -rf .',
    'rm -rf /code',
    'rm /other/secret',
    'rm *.txt',
    'mkdir -Z new',
    'rm -i a.txt --no-preserve-root',
    'touch -d now a.txt',
    'touch -r /other/secret a.txt',
    'touch --reference=a a.txt',
    'mv -t /other a.txt',
    'mv a.txt /other',
    'mv -b a.txt b.txt',
    'cp -l a.txt b.txt',
    'cp --parents a.txt src',
    'rmdir --ignore-fail-on-non-empty src',
    'touch .git/config',
    'touch src/.GIT',
    'rm -rf .claude',
    'touch .mcp.json',
    'mkdir .vscode',
    'cp a.txt .npmrc',
    'cp a.txt .bashrc',
    "sed -i 's/a/b/e' a.txt",
    "sed -i 's/a/b/w c' a.txt",
    "sed -i '1d' a.txt",
    "sed -i 's/a/b/;1e sh' a.txt",
    "sed -i 's/a/b' a.txt",
    "sed -i 's/a/b/' /other/secret",
    'touch a.txt > b.txt',
    'touch a.txt < b.txt',
    'sh a.txt',
    'touch a.txt; sh a.txt',
    'touch $HOME',
  ])('is not %s', (line) => {
    expect(edits(line)).toBe(false)
  })
})
