import { type Harmless, words } from './harmless-options.ts'

/** A way through a document, and nothing that could ask for the environment or another file. */
const JQ_PATH = /^(?:\.[A-Za-z_]\w*|\."[^"\\]*"|\b(?:keys|length|type)\b|\.(?![A-Za-z_"])|[\s|,[\]\d:?])*$/

const NUMBERS = '0'

/**
 * Programs that only print what they are given or what lies in the files that they name. Not here, on purpose: programs that
 * run others (xargs, env, awk), that can write by an operand or a script (tee, most of sed), that show the
 * environment (printenv, `ps e`), that speak to the network, and options that follow links, read lists of files or write.
 */
export const HARMLESS_PROGRAMS: ReadonlyMap<string, Harmless> = new Map<string, Harmless>([
  ['true', { text: true, noOptions: true }],
  ['false', { text: true, noOptions: true }],
  [':', { text: true, noOptions: true }],
  ['echo', { text: true, noOptions: true }],
  ['printf', { text: true }], // `printf -v` sets a variable
  ['pwd', { short: 'LP', most: 0 }],
  ['whoami', { most: 0 }],
  ['id', { short: 'ugnG', most: 0 }],
  ['groups', { most: 0 }],
  ['uname', { short: 'asrvmo', most: 0 }],
  ['nproc', { most: 0 }],
  ['arch', { most: 0 }],
  ['uptime', { short: 'ps', most: 0 }],
  [
    'date',
    {
      short: 'uIR',
      long: words('utc iso-8601 rfc-3339'),
      text: true,
      textFirst: { unless: [], text: /^\+/ },
      most: 1,
    },
  ],
  ['sleep', { text: true, most: 1 }],
  ['seq', { short: 'sw', text: true }],
  ['basename', { short: 'as', text: true }],
  ['dirname', { text: true }],
  ['which', { short: 'a', text: true }],
  ['type', { short: 'atpP', text: true }],
  [
    'ls',
    {
      short: 'aAbBcCdfFgGhiIklmnNopqQrRsStTuUvwxXZ1' + NUMBERS,
      long: words(`
color colour help version all almost-all full-time group-directories-first
human-readable recursive reverse size sort time time-style`),
    },
  ],
  ['cat', { short: 'AbeEnstTuv', long: words('color colour help version number show-all') }],
  ['head', { short: 'cnqvz' + NUMBERS, long: words('color colour help version lines bytes quiet verbose') }],
  ['tail', { short: 'cnqvz' + NUMBERS, long: words('color colour help version lines bytes quiet verbose') }],
  ['nl', { short: 'abdfhinpsvw', long: words('help version') }],
  ['tac', { short: 'brs', long: words('help version') }],
  ['rev', {}],
  ['wc', { short: 'clLmw', long: words('color colour help version lines words chars bytes') }],
  [
    'cut',
    {
      short: 'bcdfnsz',
      long: words(`
color colour help version delimiter fields bytes characters output-delimiter
only-delimited complement`),
    },
  ],
  ['paste', { short: 'dsz', long: words('help version') }],
  [
    'tr',
    {
      short: 'cCdst',
      long: words('color colour help version delete squeeze-repeats complement'),
      text: true,
    },
  ],
  ['column', { short: 'tsnxc', long: words('table separator') }],
  ['fold', { short: 'bsw', long: words('color colour help version spaces width') }],
  ['expand', { short: 'it', long: words('help version') }],
  ['comm', { short: 'z123' + NUMBERS, long: words('help version') }],
  [
    'sort',
    {
      short: 'bcCdfghiMnrRsuVzkt',
      long: words(`
color colour help version numeric-sort reverse unique human-numeric-sort
version-sort key field-separator ignore-case stable check`),
    },
  ],
  [
    'uniq',
    {
      short: 'cdDiufswz',
      long: words('color colour help version count repeated unique ignore-case'),
      most: 1,
    },
  ],
  [
    'diff',
    {
      short: 'abBcdeEilnpqstTuUwWyZ' + NUMBERS,
      long: words('color help version brief unified side-by-side ignore-all-space ignore-blank-lines'),
      noFolders: true,
    },
  ],
  ['cmp', { short: 'bilns', long: words('help version') }],
  ['md5sum', { short: 'bt', long: words('help version') }],
  ['sha1sum', { short: 'bt', long: words('help version') }],
  ['sha256sum', { short: 'bt', long: words('help version') }],
  ['sha512sum', { short: 'bt', long: words('help version') }],
  ['cksum', { long: words('help version') }],
  ['base64', { short: 'diw', long: words('color colour help version decode wrap') }],
  ['hexdump', { short: 'bcCdenosvx' }],
  ['xxd', { short: 'abcegilopsu', most: 1 }],
  ['od', { short: 'abcdfiloxAjNtvw', long: words('help version') }],
  ['file', { short: 'bhikpsrvzZ', long: words('brief mime mime-type mime-encoding version') }],
  ['stat', { short: 'cft', long: words('color colour help version format printf terse file-system') }],
  ['readlink', { short: 'efmnqsvz', long: words('help version') }],
  ['realpath', { short: 'emLPqsz', long: words('help version') }],
  [
    'du',
    {
      short: 'abcdhkmsSx' + NUMBERS,
      long: words(`
color colour help version max-depth human-readable summarize all total
apparent-size`),
    },
  ],
  ['df', { short: 'ahikTP', long: words('color colour help version human-readable'), most: 0 }],
  [
    'tree',
    {
      short: 'aACdDfFghipPILnNQrsStuUvx' + NUMBERS,
      long: words('dirsfirst du filelimit noreport prune version'),
    },
  ],
  [
    'grep',
    {
      short: 'aABcCEFGhHilLmnoPqrsvwxyeZz' + NUMBERS,
      long: words(`
color colour help version include exclude exclude-dir line-number count
ignore-case files-with-matches recursive regexp extended-regexp fixed-strings
only-matching invert-match word-regexp max-count after-context before-context
context no-messages with-filename no-filename perl-regexp binary-files quiet`),
      textFirst: { unless: ['-e', '--regexp'] },
    },
  ],
  [
    'rg',
    {
      short: 'aABcCeEFgGhHiIlmMnNoPqsSUtTvVwx0' + NUMBERS,
      long: words(`
color colour help version files glob iglob hidden line-number no-heading heading
count ignore-case smart-case files-with-matches fixed-strings multiline
only-matching no-ignore type type-not max-depth max-count max-columns context
after-context before-context json stats sort regexp word-regexp no-messages
with-filename no-filename no-line-number pcre2`),
      textFirst: { unless: ['-e', '--regexp', '--files'] },
    },
  ],
  [
    'sed',
    { short: 'nEr', textFirst: { unless: [], text: /^(\d+|\$)(,(\d+|\$))?p(;(\d+|\$)(,(\d+|\$))?[pq])*$/ } },
  ],
  [
    'jq',
    {
      short: 'rcMSseja',
      long: words('raw-output compact-output sort-keys slurp tab exit-status'),
      textFirst: { unless: [], text: JQ_PATH },
    },
  ],
  ['test', { short: 'abcdefghknprstuwxzLNS', long: words('') }],
  ['[', { short: 'abcdefghknprstuwxzLNS', long: words('') }],
  ['free', { short: 'bghkmt', most: 0 }],
])

/** Programs whose `--version` says the version and does nothing else; others load code of the project or fetch something. */
export const VERSION_ONLY: ReadonlySet<string> = words(`
node npm git python python3 gcc g++ clang make cmake java ruby perl php bash zsh
curl rg jq sqlite3`)
