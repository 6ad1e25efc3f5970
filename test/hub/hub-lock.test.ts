import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hubHolder, takeHubLock } from '../../src/hub/hub-lock.ts'
import { identityOf } from '../../src/system/process-identity.ts'
import { temporaryFolder } from '../rig/cli/real-cli.ts'

/** A home folder whose lock is held by another process. */
async function heldHome() {
  const home = await temporaryFolder()
  const holder = spawn('sleep', ['1000'])
  onTestFinished(() => void holder.kill('SIGKILL'))
  const identity = await identityOf(holder.pid ?? 0)
  await writeFile(join(home, 'hub.lock.1'), JSON.stringify(identity))
  return { home, holder }
}

const free = async () => true

test('a hub that is killed while its successor starts is waited for', async () => {
  const { home, holder } = await heldHome()
  const taken = takeHubLock(home, free)
  holder.kill('SIGKILL')
  await taken
  expect(await hubHolder(home)).toMatchObject({ pid: process.pid })
})

test('a hub that lives keeps its lock', async () => {
  const { home, holder } = await heldHome()
  await expect(takeHubLock(home, free)).rejects.toMatchObject({ code: 'in_use' })
  expect(await hubHolder(home)).toMatchObject({ pid: holder.pid })
})
