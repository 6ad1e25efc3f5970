import type { Command } from '../../command-line/command.ts'

/** What makes Plexus part of a machine: its clients, its service, its checks. */
export const SETUP_COMMANDS: readonly Command[] = [
  {
    name: 'service',
    group: 'setup',
    summary: 'run the hub as a service: install, uninstall or status',
    args: '[ACTION]',
    flags: {
      print: { type: 'boolean', summary: 'print the file of the service and write nothing' },
      yes: { type: 'boolean', short: 'y', summary: 'do it without a question' },
    },
    example: 'plexus service install',
    load: () => import('./service.ts'),
  },
  {
    name: 'doctor',
    group: 'setup',
    summary: 'check what sessions need on this machine, and say what to do; changes nothing',
    flags: {},
    example: 'plexus doctor',
    load: () => import('./doctor.ts'),
  },
]
