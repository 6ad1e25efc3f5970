import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyChanges } from '../../../src/setup/files/file-change.ts'
import { valueAt, withItem } from '../../../src/setup/files/jsonc-edit.ts'
import { parseJsonc } from '../../../src/setup/files/jsonc.ts'
import { findHooks, hookEntry, withHook } from '../../../src/setup/terminals/hook-entry.ts'
import { planOff, planOn, terminalsBackup } from '../../../src/setup/terminals/plan-terminals.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { settings, text } from '../files/any-jsonc.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const PARTS = {
  relay: '/home/me/plexus/terminal-relay.sh',
  socket: '/home/me/plexus/hub.sock',
  curl: '/usr/bin/curl',
}
const OTHER = { ...PARTS, relay: '/other/terminal-relay.sh' }

/** Hooks as people have them: none, of other events, empty, and of our event. */
const hooks = fc.oneof(
  fc.constant({}),
  fc.constant({ PermissionRequest: [] }),
  fc.record(
    {
      PermissionRequest: fc.array(
        fc.constantFrom({ hooks: [] }, { matcher: 'Bash', hooks: [{ type: 'command', command: 'x' }] }, {}),
        { maxLength: 3 },
      ),
      Stop: fc.constant([{ hooks: [{ type: 'command', command: 'say done' }] }]),
    },
    { requiredKeys: [] },
  ),
)
const settingsText = fc.oneof(
  { weight: 8, arbitrary: text(settings(hooks, 'hooks')) },
  { weight: 1, arbitrary: fc.constantFrom('', '\n', '{}', '{ }\n', '{\n}', '{"hooks":{}}', '// only\n{}\n') },
)

async function aFile() {
  const folder = await temporaryFolder()
  const file = join(folder, 'settings.json')
  const read = () => readFileSync(file, 'utf8')
  return {
    folder,
    file,
    read,
    write: (content: string) => writeFileSync(file, content),
    on: (parts = PARTS) => applyChanges(planOn(file, parts)),
    off: (relay = PARTS.relay) => applyChanges(planOff(file, relay)),
  }
}

test('off right after on leaves the file byte for byte as it was, whatever was in it', async () => {
  const { folder, file, read, write, on, off } = await aFile()
  fc.assert(
    fc.property(settingsText, fc.boolean(), (before, isUpdated) => {
      write(before)
      if (isUpdated) on({ ...PARTS, curl: '/old/curl' })
      on()
      expect(readFileSync(terminalsBackup(file), 'utf8')).toBe(before)
      expect(findHooks(read())).toEqual([expect.objectContaining({ ...PARTS, isCurrent: true })])
      off()
      expect(read()).toBe(before)
    }),
    { numRuns: runs(60) },
  )
  expect(readdirSync(folder)).toEqual(['settings.json'])
})

test('on twice is on once', async () => {
  const { file, read, write, on } = await aFile()
  fc.assert(
    fc.property(settingsText, (before) => {
      write(before)
      on()
      const once = read()
      expect(planOn(file, PARTS)).toEqual([])
      expect(withHook(once, PARTS)).toBe(once)
    }),
    { numRuns: runs(40) },
  )
})

const first = (content: string) => content.replace('{', '{"added": [1], /* by another */ ')
const last = (content: string) => `${content}// by another\n`

test('what others have changed in between stays, and every other byte of the file too', async () => {
  const { read, write, on, off } = await aFile()
  fc.assert(
    fc.property(
      settingsText,
      fc.constantFrom(first, last, (content: string) => first(last(content))),
      (before, inserted) => {
        fc.pre(isFilled(before))
        write(before)
        on()
        write(inserted(read()))
        off()
        expect(read()).toBe(inserted(before))
      },
    ),
    { numRuns: runs(60) },
  )
})

test('another hook after ours, in the same list, stays', async () => {
  const { read, write, on, off } = await aFile()
  const theirs = { hooks: [{ type: 'command', command: 'later' }] }
  fc.assert(
    fc.property(settingsText, (before) => {
      write(before)
      on()
      write(withItem(read(), ['hooks', 'PermissionRequest'], theirs))
      off()
      expect(valueAt(read(), [])).toEqual(
        valueAt(withItem(before, ['hooks', 'PermissionRequest'], theirs), []),
      )
    }),
    { numRuns: runs(40) },
  )
})

/** With a member before which another can be put. */
function isFilled(content: string): boolean {
  return content.startsWith('{') && parseJsonc(content).parts.length > 0
}

test('a program that writes the whole file anew loses nothing by off', async () => {
  const { read, write, on, off } = await aFile()
  fc.assert(
    fc.property(settings(hooks, 'hooks'), (before) => {
      write(JSON.stringify(before, null, 4))
      on()
      write(`${JSON.stringify({ ...(JSON.parse(read()) as object), model: 'x' }, null, 2)}\n`)
      off()
      expect(JSON.parse(read())).toEqual({ ...before, model: 'x' })
    }),
    { numRuns: runs(40) },
  )
})

test('a file that was not there is removed again, and kept if others have used it', async () => {
  const { folder, file, read, write, on, off } = await aFile()
  on()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  off()
  expect(readdirSync(folder)).toEqual([])
  on()
  write(JSON.stringify({ ...(JSON.parse(read()) as object), model: 'x' }, null, 2))
  off()
  expect(JSON.parse(read())).toEqual({ model: 'x' })
  expect(existsSync(file)).toBe(true)
})

test('a hook of a person in the group of ours stays', async () => {
  const { read, write, on, off } = await aFile()
  const own = { type: 'command', command: 'beep' }
  const ours = (hookEntry(PARTS) as { hooks: object[] }).hooks
  write(JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [own, ...ours] }] } }))
  on()
  expect(findHooks(read())).toHaveLength(1)
  off()
  expect(JSON.parse(read())).toEqual({ hooks: { PermissionRequest: [{ hooks: [own] }] } })
})

test('the entry of another home folder is neither replaced nor removed', async () => {
  const { file, read, on, off } = await aFile()
  on(OTHER)
  const before = read()
  expect(() => planOn(file, PARTS)).toThrow(`an entry for ${OTHER.relay}`)
  off()
  expect(read()).toBe(before)
})

test('a read-only file, a text that is no settings, and a list of another kind are left alone', async () => {
  const { file, write } = await aFile()
  write('{"hooks": 1}')
  expect(() => planOn(file, PARTS)).toThrow('cannot be changed')
  write('{"a": 1, "a" 2}')
  expect(() => planOn(file, PARTS)).toThrow('(line 1)')
  write('{"hooks": {"PermissionRequest": {}}}')
  expect(() => planOn(file, PARTS)).toThrow('is no list')
  write('{}')
  chmodSync(file, 0o444)
  expect(() => planOn(file, PARTS)).toThrow('is read-only')
})

test('a link stays a link, and its file keeps its mode', async () => {
  const { folder, file, on, off } = await aFile()
  const real = join(folder, 'dotfiles.json')
  writeFileSync(real, '{\n\t"a": 1 // one\n}', { mode: 0o640 })
  symlinkSync(real, file)
  on()
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
  off()
  expect(readFileSync(real, 'utf8')).toBe('{\n\t"a": 1 // one\n}')
})

test('a file that changed after it was shown is not written', async () => {
  const { file, read, write } = await aFile()
  write('{}')
  const planned = planOn(file, PARTS)
  write('{"model": "x"}')
  expect(() => applyChanges(planned)).toThrow('has changed meanwhile')
  expect(read()).toBe('{"model": "x"}')
})
