import { fix, ok, type Outcome } from './finding.ts'

export interface HomeFacts {
  readonly path: string
  readonly exists: boolean
  /** Why no hub would start there, and what to do. */
  readonly problem?: string | undefined
  readonly mode?: number | undefined
  /** Tokens and keys that somebody else could read. */
  readonly exposed: readonly string[]
}

export function judgeHome({ path, exists, problem, mode = 0o700, exposed }: HomeFacts): Outcome[] {
  if (problem !== undefined) return [fix(problem)]
  if (!exists) return [ok(`${path} is not there yet; the first hub makes it.`)]
  const wrong = [
    ...((mode & 0o077) === 0
      ? []
      : [fix(`${path} can be read by others (mode ${octal(mode)}). Run: chmod 700 ${path}`)]),
    ...exposed.map((file) =>
      fix(`${file} could be read by others and does not count. Remove it; the next hub makes a new one.`),
    ),
  ]
  return wrong.length > 0 ? wrong : [ok(`${path} is yours alone.`)]
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, '0')
}
