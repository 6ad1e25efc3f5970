import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  managedSettingsFiles,
  requireHooksOfSettings,
  requireOurHook,
} from '../../../src/sessions/launch/managed-settings.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

async function managed(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'managed-settings.json')
  await writeFile(file, text)
  return file
}

test('I9: no session is started where an administrator has switched our hook off', async () => {
  const file = await managed('{"disableAllHooks": true}')
  expect(() => requireOurHook({ version: '2.1.197' }, file)).toThrow('no session is started')
  expect(() => requireOurHook({ version: '2.1.324' }, file)).toThrow('2.1.325 or later')
  expect(() => requireHooksOfSettings(file)).toThrow('it is not started')
  expect(() => requireHooksOfSettings(`${file}.none`)).not.toThrow()
})

test('a version that keeps our hook is started, and so is any where nothing is switched off', async () => {
  const off = await managed('{"disableAllHooks": true}')
  expect(() => requireOurHook({ version: '2.1.325' }, off)).not.toThrow()
  expect(() => requireOurHook({ version: '2.1.197' }, `${off}.none`)).not.toThrow()
  for (const text of ['{"disableAllHooks": false}', '{"disableAllHooks": "true"}', '[]', 'null', 'broken']) {
    const file = await managed(text)
    expect(() => requireOurHook({ version: '2.1.197' }, file)).not.toThrow()
  }
})

test.each(['disableAllHooks', 'allowManagedHooksOnly'])(
  'no claude of plexus run is started where an administrator has set %s, whatever its version',
  async (setting) => {
    const on = await managed(JSON.stringify({ [setting]: true }))
    expect(() => requireHooksOfSettings(on)).toThrow(`has ${setting}`)
    const off = await managed(JSON.stringify({ [setting]: false }))
    expect(() => requireHooksOfSettings(off)).not.toThrow()
    expect(() => requireHooksOfSettings(`${off}.none`)).not.toThrow()
  },
)

test('the settings of an administrator are those of the file and of the folder beside it', async () => {
  const file = await managed('{}')
  expect(managedSettingsFiles(file)).toEqual([file])
  const folder = file.replace(/json$/, 'd')
  await mkdir(folder)
  for (const name of ['20-b.json', '10-a.json', '.hidden.json', 'notes.txt'])
    await writeFile(join(folder, name), '{}')
  expect(managedSettingsFiles(file)).toEqual([file, join(folder, '10-a.json'), join(folder, '20-b.json')])
})

test('I9: a file beside the settings of an administrator switches our hook off as well', async () => {
  const file = await managed('{}')
  const folder = file.replace(/json$/, 'd')
  await mkdir(folder)
  await writeFile(join(folder, '10-hooks.json'), '{"disableAllHooks": true}')
  expect(() => requireOurHook({ version: '2.1.197' }, file)).toThrow('10-hooks.json has disableAllHooks')
  expect(() => requireHooksOfSettings(file)).toThrow('10-hooks.json has disableAllHooks')
  expect(() => requireOurHook({ version: '2.1.325' }, file)).not.toThrow()
})
