import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, defaultHome } from '../assembly/config.ts'
import { exitOnFault } from '../assembly/exit-on-fault.ts'
import { openHub } from '../assembly/open-hub.ts'
import { AppError } from '../base/errors.ts'
import { createLog, type Log } from '../base/log.ts'
import { VERSION } from '../base/version.ts'
import { callerAt } from '../command-line/agent-environment.ts'
import type { CommandCall } from '../command-line/command.ts'
import { greetingLines } from '../command-line/hub-face/face-lines.ts'
import { HubFace } from '../command-line/hub-face/hub-face.ts'
import { firstLink, linkPerLine } from '../command-line/hub-face/page-links.ts'
import type { Output } from '../command-line/output.ts'
import { ownCommand, shellWord } from '../command-line/views/own-command.ts'
import { oneLine } from '../command-line/views/session-words.ts'
import { prepareHome } from '../hub/home-folder.ts'
import { openLogFile, withLogLimit } from '../hub/log-file.ts'
import { stopSignal } from './shutdown-signal.ts'

const DEFAULT_COLUMNS = 80

/** The hub with a face for the person at its terminal; the log goes to the file where a hub in the background has it. */
export async function serveAtTerminal(config: Config, { env, out }: CommandCall): Promise<void> {
  const path = join(await prepareHome(config.home, env['HOME']), 'hub.log')
  const file = await openLogFile(path)
  const write = withLogLimit(path, (line) => void writeSync(file.fd, line), { fd: file.fd })
  const log = withFaults(createLog(config.logLevel, write), out, path)
  // The terminal may be closed before the hub: then nobody is shown anything, and the hub ends as it should.
  out.whenClosed(() => {})
  const stopped = stopSignal({ onLate: () => log.error('The hub did not end in time; it ends now.') })
  exitOnFault(log)
  let face: HubFace | undefined
  let endLinks: (() => void) | undefined
  const hub = await openHub(config, log, { onQuestion: () => face?.refresh() })
  try {
    const homeFlag = isDefaultHome(config) ? '' : ` --home ${shellWord(config.home)}`
    const command = ownCommand(process.argv[1] ?? '')
    const demo = env['npm_lifecycle_event'] === 'start' ? 'npm start -- demo' : `${command} demo`
    const { url } = hub.ready
    const columns = () => process.stdout.columns || DEFAULT_COLUMNS
    const links = { engine: await hub.engine(), context: { caller: callerAt(env) }, out }
    const first = await firstLink(links)
    const hasNext = first !== undefined && out.mayPrompt && process.stdin.isTTY
    const link = first === undefined ? undefined : { url: first, hasNext }
    for (const line of greetingLines({ version: VERSION, url, command, homeFlag, demo, link })) out.line(line)
    if (hasNext) endLinks = linkPerLine(links, process.stdin)
    face = new HubFace({ ...links, columns, homeFlag })
    face.refresh()
    const reason = await Promise.race([stopped, hub.idle()])
    log.info('The hub stops.', { reason })
    out.line('')
    await face.stop({ endsChildren: config.endChildren })
  } finally {
    face = undefined
    endLinks?.()
    await hub.close()
    await file.close()
  }
}

/** Without HOME there is no default. */
function isDefaultHome({ home, env }: Config): boolean {
  return (env['HOME'] ?? env['XDG_STATE_HOME']) !== undefined && home === defaultHome(env)
}

/** An error is one sentence at the terminal too; the log has the details. */
function withFaults(log: Log, out: Output, path: string): Log {
  return {
    ...log,
    error: (message, fields) => {
      log.error(message, fields)
      const { error } = fields ?? {}
      const why = error instanceof AppError ? ` ${oneLine(error.message)}` : ''
      out.say(out.style('bad', `! ${message}${why} (${path})`))
    },
  }
}
