// The Claude Code CLI among our development packages: what the tests and a first try run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The packages that hold the program itself; npm installs the one that fits. It works without install scripts. */
export const platformPackages = ['', '-musl'].map(
  (libc) => `@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc}`,
)

/** The path of the program below the project's folder; undefined where none is installed. */
export function installedCli(root) {
  const programs = [
    ...platformPackages.map((name) => `${name}/claude`),
    '@anthropic-ai/claude-code/bin/claude.exe',
  ]
  return programs.map((program) => join(root, 'node_modules', program)).find((path) => existsSync(path))
}
