import { renderUnicodeCompact } from 'uqr'
import { AppError } from '../../base/errors.ts'
import type { ClientHub, CommandCall } from '../../command-line/command.ts'
import { askYesOrNo } from '../../command-line/terminal/ask-person.ts'
import { oneLine } from '../../command-line/views/session-words.ts'
import { deviceScope } from './device-scope-flag.ts'

const WAIT_SECONDS = 25

/** Signs a phone in: it reads a code from this screen, and the person compares a number on both. */
export async function run({ flags, out, hub }: CommandCall): Promise<number> {
  if (!out.mayPrompt)
    throw new AppError('invalid_input', 'plexus pair needs a terminal: a person compares a number there.')
  const client = await hub('changes')
  const { engine, context } = client
  const scope = deviceScope(flags, 'answer')
  const { code, proxiedUrl } = await engine.inviteDevice(context, { scope, confirm: true })
  if (proxiedUrl === undefined)
    throw new AppError(
      'invalid_input',
      'Another machine cannot reach this hub; put a private HTTPS proxy in front of it and start it with plexus serve --behind-proxy HOST.',
    )
  out.say(`${renderUnicodeCompact(proxiedUrl)}\n${proxiedUrl}\nOpen this on the phone within a minute.`)
  const claim = await claimOf(client, code)
  if (!claim) {
    out.say('No device opened it in time; plexus pair makes a new one.')
    return 1
  }
  const name = oneLine(claim.label)
  const isSame = await askYesOrNo(`${name} shows a number. Is it ${claim.number}?`)
  await engine.confirmDevice(context, { code, decision: isSame ? 'accept' : 'refuse' })
  out.say(isSame ? `${name} is signed in (${scope}).` : 'It was refused; nothing was signed in.')
  return isSame ? 0 : 1
}

/** Waits until a device has opened the link, or the link has ended. */
async function claimOf(
  { engine, context }: ClientHub,
  code: string,
): Promise<{ label: string; number: string } | undefined> {
  for (;;) {
    const {
      status,
      label = '',
      number = '',
    } = await engine.awaitDevice(context, { code, seconds: WAIT_SECONDS })
    if (status === 'claimed') return { label, number }
    if (status === 'ended') return undefined
  }
}
