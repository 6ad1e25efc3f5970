import type { Command, Flag } from '../../command-line/command.ts'

const SCOPE: Flag = {
  type: 'string',
  value: 'SCOPE',
  summary: 'what the browser may do: read, answer or operate',
}

/** The page, and the browsers that may use it. */
export const PAGE_COMMANDS: readonly Command[] = [
  {
    name: 'open',
    group: 'page',
    summary: 'open the page in a browser: what waits, what would run, what happened',
    flags: {
      scope: SCOPE,
      print: { type: 'boolean', summary: 'print the link, and open nothing' },
    },
    example: 'plexus open',
    load: () => import('./open.ts'),
  },
  {
    name: 'pair',
    group: 'page',
    summary: 'sign a phone in: it reads a code from this screen, and you compare a number',
    flags: { scope: SCOPE },
    example: 'plexus pair',
    load: () => import('./pair.ts'),
  },
  {
    name: 'devices',
    group: 'page',
    summary: 'list the browsers that are signed in, or sign one out',
    args: 'VERB [NAME]',
    flags: {},
    example: 'plexus devices ls\nplexus devices rm phone',
    load: () => import('./devices.ts'),
  },
]
