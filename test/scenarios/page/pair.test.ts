import { expect, test } from 'vitest'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

test.skipIf(!hasTerminal)(
  'S5: a phone is signed in after a person has compared the numbers, and not before',
  async () => {
    const place = await hubPlace()
    const hub = await place.start('--behind-proxy', 'box.example.net')
    const terminal = await openTerminal([process.execPath, place.program, 'pair', '--home', place.home], {
      env: { ...place.env, LANG: 'C.UTF-8' },
      cwd: place.project,
    })
    const shown = await terminal.sees('Open this on the phone')
    const [, code] = /#c=([\w-]{32})/.exec(shown.replaceAll('\n', '')) ?? []
    const post = async (body: object) => {
      const sent = await fetch(`${hub.url}/device`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await sent.json()) as { status: string; number: string; secret: string; token?: string }
    }
    const claim = await post({ code, name: 'phone' })
    expect(await terminal.sees('phone shows a number')).toContain(claim.number)
    const waiting = post({ secret: claim.secret })
    terminal.press('y', 'Enter')
    expect(await waiting).toMatchObject({ status: 'signed_in', device: { name: 'phone', scope: 'answer' } })
    await terminal.sees('phone is signed in (answer).')
  },
)
