import type { Command } from '../../command-line/command.ts'

/** What makes Plexus part of a machine: its clients, its service, its checks. */
export const SETUP_COMMANDS: readonly Command[] = []
