/** A hub in the process of the test, without a CLI, for `plexus COMMAND` in processes of their own: any text can be asked. */
import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { CreateSession } from '../../../src/engine/create-session.ts'
import type { Engine, PendingQuestion } from '../../../src/engine/engine.ts'
import { operatorToken } from '../../../src/hub/tokens/operator-token.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { temporaryFolder } from '../cli/real-cli.ts'
import { appWithoutCli, CALLERS } from '../clients/family.ts'
import type { Typed } from '../clients/plexus-command.ts'
import { programPath } from '../tools/build-programs.ts'
import { openTerminal } from '../tools/terminal.ts'
import { asCallerId } from '../tools/ids.ts'
import { SmallHub } from './small-hub.ts'

export async function commandHub() {
  const folder = await temporaryFolder()
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  for (const made of [home, project]) await mkdir(made, { mode: 0o700 })
  const store = await openMemoryStore()
  const { engine } = await appWithoutCli(store, home)
  const { plexus, run, shell, operator, over } = await commandsOn({ folder, home, project, engine })
  let asked = 0
  return {
    store,
    engine,
    folder,
    project,
    operator,
    session: (name: string, more: Partial<CreateSession> = {}): Promise<Session> => {
      const options = StartOptions.parse({ workingDirectory: project, carrier: 'mcp', name })
      return engine.createSession(operator, { options, ...more })
    },
    /** Its session waits for the answer from now on. */
    ask: async (
      { id }: Pick<Session, 'id'>,
      input: Record<string, unknown>,
      toolName = 'Bash',
    ): Promise<PendingQuestion> => {
      const toolUseId = `toolu_${++asked}`
      const caller = {
        id: asCallerId('child'),
        kind: 'session',
        name: id,
        scopes: [],
        person: false,
      } as const
      const before = (await engine.pending(operator, { sessionId: id })).length
      void engine
        .ask({ caller, signal: over.signal }, { toolName, input, toolUseId }, over.signal)
        .catch(() => {})
      for (;;) {
        const open = await engine.pending(operator, { sessionId: id })
        const last = open.at(-1)
        if (open.length > before && last) return last
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    plexus,
    run,
    shell,
  }
}

/** `plexus COMMAND` at this engine, in processes of their own. */
export async function commandsOn({
  folder,
  home,
  project,
  engine,
}: {
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly engine: Engine
}) {
  const hub = new SmallHub(home, engine)
  hub.callers.set(await operatorToken(home), { ...CALLERS.operator, via: 'command_line' })
  await hub.open()
  onTestFinished(() => hub.close())
  const program = join(folder, 'plexus')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${programPath('plexus')}' "$@"\n`, {
    mode: 0o755,
  })
  const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, PLEXUS_HOME: home, LANG: 'C.UTF-8' }
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const operator = { caller: CALLERS.operator }
  const run = (command: string, ...args: readonly string[]): Promise<Typed> =>
    new Promise((resolve) => {
      const child = execFile(command, args, { env, cwd: project }, (error, stdout, stderr) =>
        resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code) }),
      )
      child.stdin?.end()
    })
  return {
    operator,
    over,
    /** A command as it is typed, without a terminal. */
    plexus: (...args: readonly string[]) => run(program, ...args),
    run,
    /** A shell in a terminal: commands are typed one after the other. */
    shell: async (more: Record<string, string> = {}) => {
      const terminal = await openTerminal(['sh'], {
        env: { ...env, PS1: '$ ', ...more },
        cwd: project,
        columns: 100,
        rows: 12,
      })
      let typed = 0
      return {
        ...terminal,
        type: (command: string) => {
          terminal.press('-l', `${command}; echo "ended $((${++typed})) with $?"`)
          terminal.press('Enter')
        },
        /** What it printed, once the last command has ended so. */
        ends: async (exitCode: number) => {
          const screen = await terminal.sees(new RegExp(`^ended ${typed} with ${exitCode}$`, 'm'))
          return screen.slice(Math.max(0, screen.indexOf(`ended ${typed - 1} with`)))
        },
      }
    },
  }
}
