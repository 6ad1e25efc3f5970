import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { aliasLine, ownCommand, shellWord } from '../../../src/command-line/views/own-command.ts'

const ODD = ['/a b/main.js', "/it's/main.js", '/$(id)/`id`/main.js', '/"q"/\\n/main.js', '/plain/main.js']

const shell = (script: string) => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })

test('a program that was found by its name is called by its name, any other by Node and its path', () => {
  expect(ownCommand('/usr/local/bin/plexus')).toBe('plexus')
  expect(ownCommand('/src/plexus/dist/main.js')).toBe('node /src/plexus/dist/main.js')
})

test.each(ODD)('a shell reads %s as one word', (path) => {
  expect(shell(`printf %s ${shellWord(path)}`)).toBe(path)
})

test.each(ODD)('the alias of %s runs that program', (path) => {
  expect(shell(`${aliasLine(`printf %s ${shellWord(path)}`)}\nplexus`)).toBe(path)
})
