import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLastPort, writeLastPort } from '../../src/hub/last-port.ts'
import { hubPlace } from '../rig/hubs/hub.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

test('a port can be read again, and any other content of the file is not a port', async () => {
  const home = await temporaryFolder()
  expect(await readLastPort(home)).toBeUndefined()
  await writeLastPort(home, 4445)
  await writeLastPort(home, 4446)
  expect(await readLastPort(home)).toBe(4446)
  for (const text of ['', 'port', '0', '70000', '12.5', '-1']) {
    await writeFile(join(home, 'hub.port'), text)
    expect(await readLastPort(home)).toBeUndefined()
  }
  await writeLastPort(home, 4446)
  await chmod(join(home, 'hub.port'), 0o644) // others could have read it, and where they can read they may write
  expect(await readLastPort(home)).toBeUndefined()
})

test('R2: --port 0 takes the port of the previous hub, however that ended, unless another program has it', async () => {
  const place = await hubPlace()
  const first = await place.start()
  expect(await first.kill('SIGTERM')).toBe(0)
  const second = await place.start()
  expect(second.port).toBe(first.port)
  await second.kill('SIGKILL')
  const third = await place.start()
  expect(third.port).toBe(first.port)
  const elsewhere = await hubPlace()
  await mkdir(elsewhere.home, { mode: 0o700 })
  await writeLastPort(elsewhere.home, third.port)
  expect((await elsewhere.start()).port).not.toBe(third.port)
})
