/** What a session does that mends something in its own folder: it looks around, reads, edits, and tests. */
import { join } from 'node:path'
import type { ToolCall } from './rig/tool-calls.ts'

/** How many questions the versions of the CLI that were tried ask by themselves, by permission mode. */
export const MOST_QUESTIONS = { default: 16, acceptEdits: 9 } as const

type Use = readonly [name: string, input: object]

const bash = (command: string): Use => ['Bash', { command, description: 'a step of the work' }]

export function ordinaryUse(project: string): ToolCall[] {
  const at = (name: string) => join(project, name)
  const read = (name: string): Use => ['Read', { file_path: at(name) }]
  const edit = (name: string, old_string: string, new_string: string): Use => [
    'Edit',
    { file_path: at(name), old_string, new_string },
  ]
  const write = (name: string, content: string): Use => ['Write', { file_path: at(name), content }]
  const uses: Use[] = [
    bash('pwd && ls -la'),
    bash('git status'),
    bash('git log --oneline -5'),
    read('README.md'),
    read('package.json'),
    ['Glob', { pattern: 'src/**/*.ts' }],
    ['Grep', { pattern: 'export', path: project, output_mode: 'content' }],
    bash('find . -name "*.ts" | sort'),
    bash('cat src/a.ts src/b.ts'),
    read('src/a.ts'),
    read('src/b.ts'),
    bash('grep -rn "a" src --include="*.ts"'),
    bash('rg -n const src'),
    bash('head -n 20 README.md'),
    bash('npm test'),
    edit('src/a.ts', 'a = 2', 'a = 3'),
    bash('git diff'),
    bash('npm test'),
    write('src/c.ts', "import { b } from './b.ts'\nexport const c = b + 1\n"),
    bash('ls src'),
    bash('cat src/c.ts'),
    edit('src/b.ts', 'a + 1', 'a + 2'),
    bash('npm test 2>&1 | tail -20'),
    bash('wc -l src/*.ts'),
    bash('git status --short'),
    bash('git diff --stat'),
    read('src/c.ts'),
    edit('src/c.ts', 'b + 1', 'b + 2'),
    bash("sed -n '1,10p' src/c.ts"),
    bash('cd src && ls'),
    bash(`cd ${project} && git status --short`),
    bash('mkdir -p test'),
    write('test/a.test.ts', "import '../src/a.ts'\n"),
    bash('node --check src/missing.js || true'),
    bash('npm test'),
    edit('README.md', 'five', 'six'),
    bash('git diff README.md'),
    bash('git add -A'),
    bash('git commit -m "Count on"'),
    bash('git log --oneline -3'),
    bash('git show --stat HEAD'),
    bash('echo done'),
  ]
  return uses.map(([name, input], number) => ({ id: `toolu_use_${number}`, name, input }))
}
