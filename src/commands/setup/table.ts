import type { Command, Flag } from '../../command-line/command.ts'

const YES: Flag = { type: 'boolean', short: 'y', summary: 'do not ask' }

/** What makes Plexus part of a machine: its clients, its service, its checks. */
export const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'install',
    completes: 'client',
    group: 'setup',
    summary: 'add Plexus to an MCP client; without a name, list the clients and what they have',
    args: '[CLIENT]',
    flags: {
      yes: YES,
      print: { type: 'boolean', summary: 'print the entry, and write nothing' },
      as: {
        type: 'string',
        value: 'NAME',
        summary: 'the name of this client: it sees no sessions but its own',
      },
      ask: { type: 'string', value: 'WHOM', summary: 'put questions to the model, a person, or both' },
      'allow-rules': {
        type: 'boolean',
        summary: 'claude-code: let the model start, watch and list sessions unasked',
      },
    },
    example: 'plexus install claude-code',
    load: () => import('./install.ts'),
  },
  {
    name: 'uninstall',
    completes: 'client',
    group: 'setup',
    summary: 'take Plexus out of an MCP client; without a name, list what is on this machine',
    args: '[CLIENT]',
    flags: {
      yes: YES,
      'allow-rules': { type: 'boolean', summary: 'claude-code: remove the allow rules as well' },
    },
    example: 'plexus uninstall claude-code',
    load: () => import('./uninstall.ts'),
  },
]
