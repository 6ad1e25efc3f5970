/** Files whose content must not reach a model, and all that a prompt could load or change by its name. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ModelRequest } from '../../../src/demo/model-request.ts'

/** Stands in every file that a prompt could pull in. */
export const MARK = 'MARKED-CONTENT'

export interface MarkedFiles {
  /** Beside the project. */
  readonly outside: string
  readonly spaced: string
  /** In the project, and leads to the operator's token. */
  readonly link: string
  readonly inside: string
  /** All names and bytes that are nobody's to change. */
  readonly state: () => Promise<string[]>
}

/** All are below `folder`, which is the user's home; so are the project and `home`, the folder of Plexus. */
export async function markedFiles(folder: string): Promise<MarkedFiles> {
  const at = (...names: string[]) => join(folder, ...names)
  const config = (...names: string[]) => at('config', ...names)
  for (const name of ['commands', 'agents', 'skills/marked']) await mkdir(config(name), { recursive: true })
  const files: [string, string][] = [
    [at('outside.txt'), MARK],
    [at('with space.txt'), MARK],
    [at('project/inside.txt'), MARK],
    [config('settings.json'), JSON.stringify({ permissions: { allow: ['Bash(date)'] } })],
    [config('commands/marked-command.md'), `---\ndescription: A command.\n---\n${MARK}`],
    [config('skills/marked/SKILL.md'), `---\nname: marked\ndescription: A skill.\n---\n${MARK} $ARGUMENTS`],
    [config('agents/helper.md'), '---\nname: helper\ndescription: Helps.\n---\nHelp.'],
  ]
  for (const [path, text] of files) await writeFile(path, text)
  await symlink(at('home/operator.token'), at('project/notes.txt'))
  const watched = [folder, at('project'), config('commands'), config('agents'), config('skills/marked')]
  return {
    outside: at('outside.txt'),
    spaced: at('with space.txt'),
    link: 'notes.txt',
    inside: 'inside.txt',
    state: async () => {
      const all = await Promise.all(watched.map((path) => readdir(path)))
      const names = all.flat().filter((name) => name !== '.cache') // the CLI's notes on MCP servers
      const bytes = await Promise.all(files.map(([path]) => readFile(path)))
      const settings = (await readdir(config())).filter((name) => /settings|CLAUDE/.test(name))
      const sums = bytes.map((content) => createHash('sha256').update(content).digest('hex'))
      return [...names, ...settings, ...sums]
    },
  }
}

/** What is new for the model in this request: all behind the last thing that it said itself. */
export function newIn({ body: { messages } }: ModelRequest): { role: string; text: string }[] {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(last + 1).flatMap(({ role, content }) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return blocks.flatMap((block) => ('text' in block ? [{ role, text: String(block['text']) }] : []))
  })
}
