import { expect, test } from 'vitest'
import { mentionsFolder } from '../../src/shell/mentions-folder.ts'
import { paperDisk } from '../rig/tools/paper-disk.ts'

const HOME = '/home/plexus'
const files = paperDisk({
  [`${HOME}/operator.token`]: '',
  '/code/a.txt': '',
  '/code/l': { link: HOME },
  '/code/dangling': { link: '/nothing' },
})
const place = { files, cwd: '/code', bounds: { folders: ['/code'], except: [HOME] }, trusted: false }

test.each([
  `cat ${HOME}/operator.token`,
  `for x in ${HOME}/*; do cat $x; done`,
  'cat l',
  'cat l/operator.token',
  'cat ../home/plexus/operator.token',
  'cat a.txt l/operator.token',
  'ls && cat l/operator.token',
  'cat < l/operator.token',
  'echo x > l/operator.token',
  'grep --file=l/operator.token a.txt',
  'cc -Il a.c',
  'cc --Il a.c',
])('%s mentions the folder', (line) => {
  expect(mentionsFolder(line, HOME, place)).toBe(true)
})

test.each([
  '',
  'ls',
  'cat a.txt',
  'cat dangling',
  'cat l-x',
  'cat ../home',
  'cat l2/operator.token',
  'for x in l/*; do cat $x; done',
])('%j does not', (line) => {
  expect(mentionsFolder(line, HOME, place)).toBe(false)
})
