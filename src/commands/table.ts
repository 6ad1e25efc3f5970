import type { Command } from '../command-line/command.ts'
import { AUDIT_COMMANDS } from './audit/table.ts'
import { PAGE_COMMANDS } from './page/table.ts'
import { QUESTION_COMMANDS } from './questions/table.ts'
import { SESSION_COMMANDS } from './sessions/table.ts'
import { RULES_COMMANDS } from './rules/table.ts'
import { SETUP_COMMANDS } from './setup/table.ts'

/** All commands; help, completion, the reference and the tests are made from this table. */
export const COMMANDS: readonly Command[] = [
  ...SESSION_COMMANDS,
  ...QUESTION_COMMANDS,
  ...AUDIT_COMMANDS,
  ...PAGE_COMMANDS,
  ...SETUP_COMMANDS,
  ...RULES_COMMANDS,
  {
    name: 'serve',
    group: 'hub',
    summary: 'run the hub here, until it is stopped; its sessions keep running',
    flags: {
      port: { type: 'string', value: 'N', summary: 'the port (4445 by default, 0 for any that is free)' },
      'behind-proxy': {
        type: 'string',
        value: 'HOST',
        summary: 'let devices in through a private HTTPS proxy with this host name',
      },
      'end-children': { type: 'boolean', summary: 'end the sessions with the hub' },
      'exit-when-idle': {
        type: 'string',
        value: 'SECONDS',
        summary: 'end when nothing needs it for so long',
      },
    },
    example: 'plexus serve --port 0',
    load: () => import('./serve.ts'),
  },
  {
    name: 'mcp',
    group: 'hub',
    summary: 'be an MCP server on stdin and stdout; starts a hub when one is needed',
    flags: {
      standalone: { type: 'boolean', summary: 'be the hub too, in this process' },
      'end-children': { type: 'boolean', summary: 'with --standalone: end the sessions with it' },
      tools: { type: 'string', value: 'SET', summary: 'claude, plexus or all' },
      ask: { type: 'string', value: 'WHOM', summary: 'put questions to the model, a person, or both' },
      as: { type: 'string', value: 'NAME', summary: 'the name of this client' },
      'allow-bypass': { type: 'boolean', summary: 'let the client start sessions that ask about nothing' },
    },
    example: 'claude mcp add plexus -- plexus mcp',
    load: async () => {
      const { mcp } = await import('./mcp.ts')
      return { run: ({ env, flags }) => mcp(env, flags.all) }
    },
  },
  {
    name: 'configure',
    group: 'hub',
    summary: 'print a claude command line whose questions are asked here',
    flags: { name: { type: 'string', value: 'NAME', summary: 'the name of its session' } },
    example: 'plexus configure --name nightly',
    load: () => import('./configure.ts'),
  },
  {
    name: 'rpc',
    group: 'hub',
    summary: 'call a method of the hub by its name; without a name, list them',
    args: '[METHOD] [--FIELD VALUE...]',
    flags: {},
    parsesItself: true,
    notes: ['plexus rpc METHOD --help lists the fields of a method.'],
    example: 'plexus rpc loopback.pending --session-id web',
    load: () => import('./rpc.ts'),
  },
  {
    name: 'completion',
    group: 'hub',
    summary: 'print a script that completes commands, sessions and questions',
    args: 'SHELL',
    flags: {},
    example: 'plexus completion bash >> ~/.bashrc',
    load: () => import('./completion.ts'),
  },
  {
    name: 'complete',
    group: 'hub',
    summary: 'print what may follow; the script of plexus completion calls it',
    hidden: true,
    parsesItself: true,
    flags: {},
    example: 'plexus complete -- allow w',
    load: async () => ({ run: (await import('./completion.ts')).complete }),
  },
  {
    name: 'demo',
    group: 'hub',
    summary: 'a tour with the real Claude Code and a scripted model; needs no account',
    flags: {},
    example: 'plexus demo',
    load: () => import('./demo.ts'),
  },
  {
    name: 'relay',
    group: 'hub',
    summary: 'ask for a claude that was started elsewhere; plexus configure prints how',
    hidden: true,
    flags: {
      nested: { type: 'boolean', summary: 'it may start sessions' },
      judge: { type: 'string', value: 'FILE', summary: 'be its hook: read a tool call, print what it may' },
    },
    example: 'plexus relay',
    load: async () => ({
      run: async ({ env, flags }) => {
        const file = flags.text('judge')
        // The CLI waits for its hook, so the server is not loaded for it.
        if (file !== undefined) return (await import('./judge-call.ts')).judgeCall(env, flags.all, file)
        return (await import('./relay.ts')).relay(env, flags.all)
      },
    }),
  },
]
