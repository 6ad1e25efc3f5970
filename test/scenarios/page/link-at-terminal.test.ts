/** The link that a hub prints at its own terminal. */
import { expect, test } from 'vitest'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const LINK = /(http:\/\/127\.0\.0\.1:\d+)\/#c=([\w-]{32})/g

async function serveAt(extra: Readonly<Record<string, string>> = {}) {
  const place = await hubPlace()
  return openTerminal([process.execPath, place.program, 'serve', '--port', '0'], {
    env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8', ...extra },
    cwd: place.project,
    columns: 200,
  })
}

const linksIn = (screen: string) =>
  [...screen.matchAll(LINK)].map(([, url = '', code = '']) => ({ url, code }))

async function exchange({ url, code }: { url: string; code: string }) {
  const sent = await fetch(`${url}/device`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'laptop' }),
  })
  return { status: sent.status, text: await sent.text() }
}

test.skipIf(!hasTerminal)(
  'S5: a hub at a terminal prints a link that signs a browser in once, and another for each Enter',
  async () => {
    const terminal = await serveAt()
    const [first] = linksIn(await terminal.sees('Enter prints a new one'))
    if (!first) throw new Error('There is no link.')
    expect(await exchange(first)).toMatchObject({ status: 200 })
    const again = await exchange(first)
    expect([again.status, again.text.includes('plexus open')]).toEqual([403, true])

    terminal.press('Enter')
    const [, second] = linksIn(await terminal.sees(/(#c=[^]*){2}/))
    if (!second) throw new Error('There is no second link.')
    expect(second.code).not.toBe(first.code)
    expect(await exchange(second)).toMatchObject({ status: 200 })

    terminal.press('C-c')
    expect(await terminal.sees('exit code 0')).toContain('The hub stops.')
  },
)

test.skipIf(!hasTerminal)('S5: a model at the terminal of a hub gets no link', async () => {
  const terminal = await serveAt({ CLAUDECODE: '1' })
  const screen = await terminal.sees('What sessions ask is shown here:')
  expect([screen.includes('#c='), / open --home /.test(screen)]).toEqual([false, true])
  terminal.press('Enter', 'C-c')
  expect(await terminal.sees('exit code 0')).not.toContain('#c=')
})

test.skipIf(!hasTerminal)(
  'a hub that is put into the background is not stopped by what is typed there, and prints links again in the foreground',
  async () => {
    const place = await hubPlace()
    const serve = `node ${place.program} serve --port 0`
    const terminal = await openTerminal(['sh', '-i'], {
      env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8', PS1: '> ' },
      cwd: place.project,
      columns: 200,
    })
    terminal.type(`${serve}\n`)
    const [{ url } = { url: '' }] = linksIn(await terminal.sees('Enter prints a new one'))
    terminal.press('C-z')
    await terminal.sees(/Stopped/)
    // While the shell sleeps, the second line lies at the terminal for whoever reads it: the hub must not.
    terminal.type('bg; sleep 0.2\necho typed-$((1+1))\n')
    await terminal.sees('typed-2')
    expect((await fetch(`${url}/healthz`)).status).toBe(200)

    terminal.type('fg\n\n')
    await terminal.sees(/(#c=[^]*){2}/)
    terminal.press('C-z')
    await terminal.sees(/(Stopped[^]*){2}/)
    terminal.type('bg; kill %1; wait; echo over-$((2+2))\n')
    await terminal.sees('over-4')
  },
)
