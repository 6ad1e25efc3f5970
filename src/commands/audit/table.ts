import type { Command } from '../../command-line/command.ts'

export const AUDIT_COMMANDS: readonly Command[] = [
  {
    name: 'audit',
    group: 'questions',
    summary: 'the record of what was asked, decided and run: list it, show a row, export it, verify it',
    args: 'VERB [ROW_OR_FILE]',
    flags: {
      session: { type: 'string', value: 'SESSION', summary: 'ls: only rows about this session' },
      kind: { type: 'string', value: 'KIND', summary: 'ls: only rows of this kind, such as settled' },
      limit: { type: 'string', short: 'n', value: 'N', summary: 'ls: how many (20 by default, at most 500)' },
      format: { type: 'string', value: 'FORMAT', summary: 'export: jsonl (by default), csv or otlp' },
      anchors: {
        type: 'string',
        value: 'FILE',
        summary: 'verify: compare with the checkpoints in this file',
      },
      'public-key': {
        type: 'string',
        value: 'FILE',
        summary: 'verify: the key that must have signed (record.pub beside the database by default)',
      },
    },
    notes: [
      'plexus audit ls, plexus audit show ROW, plexus audit export and plexus audit verify [FILE].',
      'verify needs no hub. It reads the database of the home folder, another database, or an export, and exits with 1 if a row is broken.',
      'Reading and exporting are recorded too.',
    ],
    example:
      'plexus audit ls --kind settled\nplexus audit export > record.jsonl\nplexus audit verify --anchors /mnt/worm/plexus.log',
    load: () => import('./audit.ts'),
  },
]
