import { once } from 'node:events'
import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notesIn } from '../../../src/audit/checkpoint-note.ts'
import { Anchors, type AnchorSettings } from '../../../src/hub/record/anchors.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { serveLocally } from '../../rig/tools/local-server.ts'
import { writtenRecord } from '../../rig/tools/written-record.ts'

const { notes } = writtenRecord(3, { checkpoints: [1, 2, 3] })
const [one = '', two = '', three = ''] = notes

function anchorsWith(settings: AnchorSettings, env: Record<string, string> = {}) {
  const errors: string[] = []
  const all = { PATH: '/usr/bin:/bin', SECRET: 'token', ...env }
  const onError = (anchor: string, reason: string) => void errors.push(`${anchor}: ${reason}`)
  return { anchors: new Anchors(settings, { env: all, onError, retryMs: 1 }), errors }
}

test('a file gets each checkpoint in a line of its own, is private, and is never a link', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'anchors')
  const { anchors, errors } = anchorsWith({ file })
  anchors.send(one)
  await anchors.close()
  anchors.send(two)
  await anchors.close()
  expect(notesIn(await readFile(file, 'utf8'))).toEqual([one, two])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(errors).toEqual([])
  await writeFile(join(folder, 'other'), '')
  await symlink(join(folder, 'other'), join(folder, 'link'))
  const linked = anchorsWith({ file: join(folder, 'link') })
  linked.anchors.send(one)
  await linked.anchors.close()
  expect(linked.errors).toEqual(['anchor_file: it could not be written'])
  expect(await readFile(join(folder, 'other'), 'utf8')).toBe('')
})

test('a command gets each on stdin, and none of our variables', async () => {
  const file = join(await temporaryFolder(), 'got')
  const { anchors, errors } = anchorsWith({ receiver: `cat >> ${file}; env >> ${file}` })
  anchors.send(one)
  await anchors.close()
  const got = await readFile(file, 'utf8')
  expect(notesIn(got)).toEqual([one])
  expect(got).not.toContain('SECRET')
  expect(errors).toEqual([])
})

test('syslog gets each as one line of ASCII, by the command logger', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'log')
  await writeFile(
    join(folder, 'logger'),
    `#!/bin/sh\nfor last; do :; done\nprintf "Nov 17 box plexus: %s\\n" "$last" >> ${file}\n`,
    {
      mode: 0o755,
    },
  )
  const { anchors, errors } = anchorsWith({ syslog: true }, { PATH: `${folder}:/usr/bin:/bin` })
  anchors.send(one)
  await anchors.close()
  const log = await readFile(file, 'latin1')
  expect(log).toMatch(/^[\x20-\x7e]+\n$/)
  expect(notesIn(log)).toEqual([one])
  expect(errors).toEqual([])
})

test('a URL is tried three times and no more, and while it is busy only the newest waits', async () => {
  const got: string[] = []
  let status = 500
  const released = new AbortController()
  const port = await serveLocally((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push(Buffer.concat(parts).toString())
      void (
        status === 200 && !released.signal.aborted ? once(released.signal, 'abort') : Promise.resolve()
      ).then(() => response.writeHead(status).end())
    })
  })
  const { anchors, errors } = anchorsWith({ receiver: `http://127.0.0.1:${port}/` })
  anchors.send(one)
  await anchors.close()
  expect(got).toHaveLength(3)
  expect(errors).toEqual(['on_checkpoint: status 500'])
  status = 200
  for (const note of [one, two, three]) anchors.send(note)
  released.abort()
  await anchors.close()
  expect(got.slice(3).flatMap(notesIn).at(-1)).toBe(three)
  expect(got.slice(3).length).toBeLessThanOrEqual(2)
})
