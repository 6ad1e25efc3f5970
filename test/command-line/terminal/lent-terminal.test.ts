/** While an editor has the terminal, the screen that lent it writes nothing there. */
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { commandHub } from '../../rig/hubs/command-hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

/** A session that asks, and a screen of it whose editor is open until `close`. */
async function editing(screen: string) {
  const hub = await commandHub()
  const question = await hub.ask(await hub.session('web'), { command: 'touch one' })
  const [editor, closed] = [join(hub.folder, 'editor'), join(hub.folder, 'closed')]
  await writeFile(
    editor,
    `#!/bin/sh\nprintf '\\033[2J\\033[Hin the editor\\n'\nuntil [ -e '${closed}' ]; do sleep 0.05; done\necho touch two > "$1"\n`,
  )
  await chmod(editor, 0o700)
  const shell = await hub.shell({ EDITOR: editor })
  shell.type(screen)
  await shell.sees('[a] allow once')
  await setTimeout(UNREAD_MS + 100) // a person reads first
  shell.press('e')
  await shell.sees('in the editor')
  /** Resolves when the screen has called this verb `times` more: it has shown, or would have shown, what changed before. */
  const calls = async (verb: keyof Engine, change: () => Promise<unknown>, times: number) => {
    const spy = vi.spyOn(hub.engine, verb)
    await change()
    await eventually(async () => expect(spy.mock.calls.length).toBeGreaterThanOrEqual(times))
  }
  return { hub, question, shell, calls, close: () => writeFile(closed, '') }
}

test.skipIf(!hasTerminal)('watch paints nothing over the editor, and everything after it', async () => {
  const { hub, shell, calls, close } = await editing('plexus watch')
  const api = await hub.session('api')
  await calls('waitFor', () => hub.ask(api, { command: 'touch three' }), 1)
  expect(shell.visible().trim()).toBe('in the editor')
  await close()
  await shell.sees('as you edited it')
  const screen = await shell.sees(/api +needs you/)
  expect(screen).toMatch(/web +needs you/)
  expect(screen).not.toContain('in the editor')
})

test.skipIf(!hasTerminal)('attach prints what happened meanwhile after the editor has ended', async () => {
  const { hub, question, shell, calls, close } = await editing('plexus attach web')
  const { id: approvalId, inputSha256 } = question
  const deny = () => hub.engine.answer(hub.operator, { approvalId, inputSha256, approve: false })
  await calls('pending', deny, 1)
  expect(shell.visible().trim()).toBe('in the editor')
  await close()
  await shell.sees('= web.1 was settled elsewhere: denied')
  await shell.sees('Type what it should do next')
})
