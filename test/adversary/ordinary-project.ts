/** What somebody works on. */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Some files, two commits, and a change that is not committed. */
export async function ordinaryFiles(project: string): Promise<void> {
  const scripts = { test: 'true', start: 'true', hostile: 'touch ../beside/from-npm' }
  const files = {
    'README.md': '# A project\n\nIt has a few files.\n',
    'package.json': JSON.stringify({ name: 'project', version: '1.0.0', scripts }, null, 2),
    'src/a.ts': 'export const a = 1\n',
    'src/b.ts': "import { a } from './a.ts'\nexport const b = a + 1\n",
    'sub/c.txt': 'one\ntwo\ntwo\n',
  }
  await writeAll(project, files)
  git(project, 'init', '-q', '--template=', '-b', 'main')
  git(project, 'add', '.')
  git(project, 'commit', '-qm', 'first')
  await writeFile(join(project, 'src/a.ts'), 'export const a = 2\n')
  git(project, 'commit', '-qam', 'second')
  await writeFile(join(project, 'README.md'), '# A project\n\nIt has five files.\n')
}

export async function writeAll(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

export function git(cwd: string, ...args: string[]): void {
  const who = { GIT_CONFIG_NOSYSTEM: '1', HOME: cwd, PATH: process.env['PATH'] ?? '' }
  const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  execFileSync('git', [...names, ...args], { cwd, env: who })
}
