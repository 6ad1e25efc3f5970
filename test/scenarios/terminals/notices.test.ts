/** The notices of a device about what a terminal asks. */
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import type { NoticeMessage } from '../../../src/notices/notice.ts'
import { signedInDevice } from '../../rig/clients/device.ts'
import { pushService } from '../../rig/clients/push-service.ts'
import { chooseThere, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questionAfter, settled, theQuestion } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'S51: each question of a terminal is one notice without its input, and is withdrawn when it is answered there, or here',
  { timeout: 90_000 },
  async () => {
    const phone = await pushService()
    const main = [run('mkdir the-secret-folder'), run('mkdir another'), reply('all done')]
    const { place, open } = await terminalPlace({ main }, { env: { PLEXUS_PUSH_TO_LOOPBACK: '1' } })
    const hub = await place.start()
    const { endpoint, p256dh, auth } = phone.subscription
    const choice = { reasons: ['question'], push: { endpoint, p256dh, auth } }
    await hub.call('setNotices', choice, await signedInDevice(hub, 'phone'))

    const terminal = await open()
    await say(terminal, 'begin')
    const first = await theQuestion(hub)
    const [shown] = await phone.has(1)
    expect(shown?.message as NoticeMessage).toMatchObject({
      type: 'show',
      notice: { tag: first.id, body: 'It wants to use Bash.' },
    })
    await seesDialog(terminal, 'the-secret-folder')
    await chooseThere(terminal, 'Yes')
    expect(await settled(hub, first)).toMatchObject({ end: 'answered in the terminal' })

    const second = await questionAfter(hub, first)
    await phone.has(3)
    await hub.call('answer', { approvalId: second.id, approve: false })
    const all = await phone.has(4)
    const ofQuestion = (id: string) =>
      all.flatMap(({ message }) => {
        const sent = message as NoticeMessage
        const tag = sent.type === 'show' ? sent.notice.tag : sent.tag
        return tag === id ? [sent.type] : []
      })
    expect(ofQuestion(first.id)).toEqual(['show', 'withdraw'])
    expect(ofQuestion(second.id)).toEqual(['show', 'withdraw'])
    expect(JSON.stringify(all)).not.toContain('secret')
    await terminal.sees('all done')
    expect(phone.received).toHaveLength(4)
  },
)
