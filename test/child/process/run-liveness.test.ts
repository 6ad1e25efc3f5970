import { execFileSync } from 'node:child_process'
import { constants, openSync, closeSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endOf } from '../../../src/child/process/run-liveness.ts'
import { identityOf } from '../../../src/system/process-identity.ts'
import { createRunFolder, type RunFolder } from '../../../src/child/process/run-folder.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

async function emptyRun(): Promise<RunFolder> {
  return createRunFolder(join(await temporaryFolder(), 'run'))
}

/** A bell that somebody listens to, as a keeper would. */
function listen({ bell }: RunFolder): void {
  execFileSync('mkfifo', [bell])
  const reader = openSync(bell, constants.O_RDONLY | constants.O_NONBLOCK)
  onTestFinished(() => closeSync(reader))
}

test('a run is live while its keeper listens and is the process that we know', async () => {
  const run = await emptyRun()
  listen(run)
  expect(await endOf(run, undefined)).toBeUndefined()
  expect(await endOf(run, await identityOf(process.pid))).toBeUndefined()
})

test('a pid that is somebody else’s by now is no keeper', async () => {
  const run = await emptyRun()
  listen(run)
  const other = { pid: process.pid, startedAt: 'at another time' }
  expect(await endOf(run, other)).toEqual({ kind: 'lost', reason: 'keeper_gone' })
})

test('an exit code is the end, even while the keeper still listens', async () => {
  const run = await emptyRun()
  listen(run)
  await writeFile(run.exit, '143\n')
  expect(await endOf(run, undefined)).toEqual({ kind: 'killed', signal: 'SIGTERM' })
})

test('a run without a keeper is lost, and so is one without a folder', async () => {
  const run = await emptyRun()
  expect(await endOf(run, undefined)).toEqual({ kind: 'lost', reason: 'keeper_gone' })
  execFileSync('mkfifo', [run.bell]) // there, but nobody listens
  expect(await endOf(run, undefined)).toEqual({ kind: 'lost', reason: 'keeper_gone' })
  await rm(run.path, { recursive: true })
  expect(await endOf(run, undefined)).toEqual({ kind: 'lost', reason: 'run_folder_gone' })
})
