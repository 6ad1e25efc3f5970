import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { rememberedFiles } from '../../../src/rules/learning/remembered-files.ts'
import { judgedSession, verdictAnew } from '../../../src/sessions/in-advance/judge-anew.ts'
import { mentionsFolder } from '../../../src/shell/mentions-folder.ts'
import type { FileLookup } from '../../../src/shell/path-bounds.ts'
import { aSession } from '../../contracts/rows.ts'
import { paperDisk } from '../../rig/tools/paper-disk.ts'
import { rulesOf } from '../../rules/rules-rig.ts'

/** `npm run test:long` tries at least 100,000. */
const RUNS = process.env['PLEXUS_LONG'] === undefined ? 2_000 : 100_000
const LONG_MS = 600_000

const HOME = '/home/me/plexus'
const disk = paperDisk({
  [`${HOME}/operator.token`]: '',
  '/home/me/.ssh/key': '',
  '/code/web/README': '',
  '/code/web/src/a.ts': '',
  '/code/web/-m': { link: HOME },
  '/code/web/out': { link: HOME },
  '/code/web/src/up': { link: '/home/me' },
  '/code/web/gone': { link: '/nothing' },
})
/** One for all runs: what it remembers of one call must be right for the next one. */
const remembered = rememberedFiles(disk)

const WORDS = [
  'push README readme src src/up src/up/plexus out OUT gone gone/x a=out -m -iout --file=out -- - .. . ../..',
  `* o* plexus me /home/me ${HOME}/x ~/.ssh >out <out é core.hooksPath=x --config-env ext::sh status run`,
]
const word = fc.constantFrom('"part 7"', ...WORDS.flatMap((words) => words.split(' ')))
const command = fc
  .tuple(
    fc.constantFrom('git', 'GIT', 'npm', 'make', 'cd', 'ls', 'rm', 'cat', 'docker', 'sudo git', 'bash'),
    fc.array(word, { maxLength: 4 }),
  )
  .map(([name, words]) => [name, ...words].join(' '))
const line = fc
  .array(command, { minLength: 1, maxLength: 3 })
  .chain((commands) => fc.constantFrom(' && ', '; ', ' | ').map((joint) => commands.join(joint)))
const folder = fc.constantFrom(
  '/code/web',
  '/code/web/src',
  '/code/web/out',
  '/code/web/gone',
  '/',
  '/home/me',
)

const RULES = rulesOf(
  [
    { id: 'git', effect: 'allow', command: ['git push|status *', 'Git push'] },
    { id: 'make', effect: 'allow', command: ['make out', 'ls *', 'cat *'], redirect: 'inside' },
    { id: 'npm', effect: 'ask', command: 'npm push *' },
    { id: 'src', effect: 'deny', path: 'src', because: 'No.' },
  ],
  [{ id: 'keys', path: '~/.ssh', because: 'No.' }],
)

function judgedWith(files: FileLookup, addDirs: string[]) {
  const session = aSession({ workingDirectory: '/code/web', config: StartOptions.parse({ addDirs }) })
  return judgedSession(session, [], { files, home: HOME, userHome: '/home/me', now: 0 })
}

test(
  '[3] a call is replayed as it would be judged by a disk of which nothing is remembered',
  () => {
    const addDirs = fc.constantFrom<string[]>([], ['/code'], ['/home'])
    fc.assert(
      fc.property(line, fc.option(folder, { nil: undefined }), addDirs, (text, cwd, more) => {
        const call = { toolName: 'Bash', input: { command: text }, cwd }
        const replayed = verdictAnew(call, RULES, judgedWith(remembered, more))
        expect(replayed).toEqual(verdictAnew(call, RULES, judgedWith(disk, more)))
      }),
      { numRuns: RUNS },
    )
  },
  LONG_MS,
)

test(
  '[3] what a line says of the files of Plexus is found alike, from any folder',
  { timeout: LONG_MS },
  () => {
    const cwd = fc.oneof(
      folder,
      fc.constantFrom(HOME, `${HOME}/`, '/home/me/../me/plexus', '/home/./me', '/code/web/../../home/me'),
    )
    fc.assert(
      fc.property(line, cwd, (text, here) => {
        const place = { cwd: here, bounds: { folders: ['/code/web'], except: [HOME] }, trusted: false }
        const found = mentionsFolder(text, HOME, { ...place, files: remembered })
        expect(found).toBe(mentionsFolder(text, HOME, { ...place, files: disk }))
      }),
      { numRuns: RUNS, examples: [['cat operator.token', '/home/me/../me/plexus']] },
    )
  },
)
