import { configFrom } from '../../assembly/config.ts'
import { requireOutside } from '../../assembly/outside-session.ts'
import { AppError } from '../../base/errors.ts'
import type { CommandCall } from '../../command-line/command.ts'
import { installService } from '../../setup/service/install-service.ts'
import { leftOutSentence, loginsLeftOut, serviceSpec } from '../../setup/service/service-spec.ts'
import { statusOfService, statusWords } from '../../setup/service/service-status.ts'
import { serviceSystem } from '../../setup/service/service-system.ts'
import { uninstallService } from '../../setup/service/uninstall-service.ts'
import { confirm } from './confirm.ts'

/** `service install`, `service uninstall`, `service status` and `service --print`. */
export async function run({ args: [action], flags, env, out }: CommandCall): Promise<number> {
  const system = serviceSystem(env, process.platform, process.getuid?.() ?? 0)
  const spec = () => {
    const { home } = configFrom(env, { home: flags.text('home') })
    return serviceSpec({ node: process.execPath, program: process.argv[1] ?? '', home, env })
  }
  if (flags.isSet('print')) {
    if (out.isJson) out.json({ file: system.file, text: system.textOf(spec()) })
    else out.line(system.textOf(spec()).trimEnd())
    for (const name of loginsLeftOut(env)) out.say(leftOutSentence(name))
    return 0
  }
  const say = (text: string) => out.say(text)
  const ask = (question: string) => confirm(question, { out, flags })
  if (action === 'install') {
    requireOutside(env)
    const done = await installService({ system, spec: spec(), env, say, ask })
    if (out.isJson && done) out.json(done)
    return done === undefined ? 1 : 0
  }
  if (action === 'uninstall') {
    const done = await uninstallService({ system, env, say, ask })
    if (out.isJson && done) out.json(done)
    return done === undefined ? 1 : 0
  }
  if (action === 'status') {
    const status = await statusOfService(system, spec(), env)
    if (out.isJson) out.json(status)
    else for (const line of statusWords(status)) out.line(line)
    return status.active ? 0 : 1
  }
  throw new AppError(
    'invalid_input',
    'Say plexus service install, uninstall or status, or plexus service --print.',
  )
}
