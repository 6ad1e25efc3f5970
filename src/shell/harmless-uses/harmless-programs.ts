import type { HarmlessUse } from './harmless-options.ts'
import { comparesNumbers, printsNumbers } from '../lines/plain-numbers.ts'
import { wordSet } from '../programs/word-set.ts'

/** A path in a document, and nothing that could read the environment or another file. */
const JQ_PATH = /^(?:\.[A-Za-z_]\w*|\."[^"\\]*"|\b(?:keys|length|type)\b|\.(?![A-Za-z_"])|[\s|,[\]\d:?])*$/

const NUMBERS = '0'

/**
 * Programs that only print their arguments or the contents of the named files. Not listed, on purpose: programs that run
 * others (xargs, env, awk), that can write by an operand or a script (tee, most of sed), that show the environment
 * (printenv, `ps e`), that use the network, and options that follow links, read lists of files or write.
 */
export const HARMLESS_PROGRAMS: ReadonlyMap<string, HarmlessUse> = new Map<string, HarmlessUse>([
  ['true', { text: true, noOptions: true }],
  ['false', { text: true, noOptions: true }],
  [':', { text: true, noOptions: true }],
  ['echo', { text: true, noOptions: true }],
  ['printf', { text: true, only: printsNumbers }], // `printf -v` sets a variable
  ['pwd', { short: 'LP', maxOperands: 0 }],
  ['whoami', { maxOperands: 0 }],
  ['id', { short: 'ugnG', maxOperands: 0 }],
  ['groups', { maxOperands: 0 }],
  ['uname', { short: 'asrvmo', maxOperands: 0 }],
  ['nproc', { maxOperands: 0 }],
  ['arch', { maxOperands: 0 }],
  ['uptime', { short: 'ps', maxOperands: 0 }],
  [
    'date',
    {
      short: 'uIR',
      long: wordSet('utc iso-8601 rfc-3339'),
      textFirst: { unless: [], text: /^\+/ },
      maxOperands: 1,
    },
  ],
  ['sleep', { text: true, maxOperands: 1 }],
  ['seq', { short: 'sw', text: true }],
  ['basename', { short: 'as', text: true }],
  ['dirname', { text: true }],
  ['which', { short: 'a', text: true }],
  ['type', { short: 'atpP', text: true }],
  [
    'ls',
    {
      short: 'aAbBcCdfFgGhiIklmnNopqQrRsStTuUvwxXZ1' + NUMBERS,
      long: wordSet(`
color colour help version all almost-all full-time group-directories-first
human-readable recursive reverse size sort time time-style`),
    },
  ],
  ['cat', { short: 'AbeEnstTuv', long: wordSet('color colour help version number show-all') }],
  [
    'head',
    { short: 'cnqvz' + NUMBERS, long: wordSet('color colour help version lines bytes quiet verbose') },
  ],
  [
    'tail',
    { short: 'cnqvz' + NUMBERS, long: wordSet('color colour help version lines bytes quiet verbose') },
  ],
  ['nl', { short: 'abdfhinpsvw', long: wordSet('help version') }],
  ['tac', { short: 'brs', long: wordSet('help version') }],
  ['rev', {}],
  ['wc', { short: 'clLmw', long: wordSet('color colour help version lines words chars bytes') }],
  [
    'cut',
    {
      short: 'bcdfnsz',
      long: wordSet(`
color colour help version delimiter fields bytes characters output-delimiter
only-delimited complement`),
    },
  ],
  ['paste', { short: 'dsz', long: wordSet('help version') }],
  [
    'tr',
    {
      short: 'cCdst',
      long: wordSet('color colour help version delete squeeze-repeats complement'),
      text: true,
    },
  ],
  ['column', { short: 'tsnxc', long: wordSet('table separator') }],
  ['fold', { short: 'bsw', long: wordSet('color colour help version spaces width') }],
  ['expand', { short: 'it', long: wordSet('help version') }],
  ['comm', { short: 'z123' + NUMBERS, long: wordSet('help version') }],
  [
    'sort',
    {
      short: 'bcCdfghiMnrRsuVzkt',
      long: wordSet(`
color colour help version numeric-sort reverse unique human-numeric-sort
version-sort key field-separator ignore-case stable check`),
    },
  ],
  [
    'uniq',
    {
      short: 'cdDiufswz',
      long: wordSet('color colour help version count repeated unique ignore-case'),
      maxOperands: 1,
    },
  ],
  [
    'diff',
    {
      short: 'abBcdeEilnpqstTuUwWyZ' + NUMBERS,
      long: wordSet('color help version brief unified side-by-side ignore-all-space ignore-blank-lines'),
      noFolders: true,
    },
  ],
  ['cmp', { short: 'bilns', long: wordSet('help version') }],
  ['md5sum', { short: 'bt', long: wordSet('help version') }],
  ['sha1sum', { short: 'bt', long: wordSet('help version') }],
  ['sha256sum', { short: 'bt', long: wordSet('help version') }],
  ['sha512sum', { short: 'bt', long: wordSet('help version') }],
  ['cksum', { long: wordSet('help version') }],
  ['base64', { short: 'diw', long: wordSet('color colour help version decode wrap') }],
  ['hexdump', { short: 'bcCdenosvx' }],
  ['xxd', { short: 'abcegilopsu', maxOperands: 1 }],
  ['od', { short: 'abcdfiloxAjNtvw', long: wordSet('help version') }],
  ['file', { short: 'bhikpsrvzZ', long: wordSet('brief mime mime-type mime-encoding version') }],
  ['stat', { short: 'cft', long: wordSet('color colour help version format printf terse file-system') }],
  ['readlink', { short: 'efmnqsvz', long: wordSet('help version') }],
  ['realpath', { short: 'emLPqsz', long: wordSet('help version') }],
  [
    'du',
    {
      short: 'abcdhkmsSx' + NUMBERS,
      long: wordSet(`
color colour help version max-depth human-readable summarize all total
apparent-size`),
    },
  ],
  ['df', { short: 'ahikTP', long: wordSet('color colour help version human-readable'), maxOperands: 0 }],
  [
    'tree',
    {
      short: 'aACdDfFghipPILnNQrsStuUvx' + NUMBERS,
      long: wordSet('dirsfirst du filelimit noreport prune version'),
    },
  ],
  [
    'grep',
    {
      short: 'aABcCEFGhHilLmnoPqrsvwxyeZz' + NUMBERS,
      long: wordSet(`
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
      long: wordSet(`
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
      long: wordSet('raw-output compact-output sort-keys slurp tab exit-status'),
      textFirst: { unless: [], text: JQ_PATH },
    },
  ],
  ['test', { short: 'abcdefghknprstuwxzLNS', long: wordSet(''), only: comparesNumbers }],
  ['[', { short: 'abcdefghknprstuwxzLNS', long: wordSet(''), only: comparesNumbers }],
  ['free', { short: 'bghkmt', maxOperands: 0 }],
])

/** Programs whose `--version` only prints the version; others load code of the project or fetch something. */
export const VERSION_ONLY: ReadonlySet<string> = wordSet(`
node npm git python python3 gcc g++ clang make cmake java ruby perl php bash zsh
curl rg jq sqlite3`)
