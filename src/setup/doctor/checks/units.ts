import { fix, ok, type Outcome } from './finding.ts'

/** A file by which the system starts a program, with what was added to it. */
export interface UnitFile {
  readonly file: string
  readonly text: string
}

/** A service that starts a hub must leave the hub's children alone when it stops. */
export function judgeUnits(files: readonly UnitFile[]): Outcome[] {
  const ours = files.filter(startsHub)
  const deadly = ours.filter((unit) => endsChildren(unit))
  if (deadly.length > 0)
    return deadly.map(({ file }) => fix(`${file} ends the sessions with the hub. ${remedy(file)}`))
  if (ours.length === 0) return [ok('No service starts a hub; plexus service install makes one.')]
  return ours.map(({ file }) => ok(`${file} leaves sessions alive when it stops.`))
}

function startsHub({ file, text }: UnitFile): boolean {
  if (isAgent(file)) return /plexus/.test(text) && /<string>serve<\/string>/.test(text)
  return /^\s*ExecStart=.*plexus.*\bserve\b/m.test(text)
}

function endsChildren({ file, text }: UnitFile): boolean {
  if (isAgent(file)) return !/<key>AbandonProcessGroup<\/key>\s*<true\/>/.test(text)
  const [mode] = [...text.matchAll(/^\s*KillMode=\s*(\S*)\s*$/gm)].map(([, value]) => value).slice(-1)
  // By default systemd ends every process of the unit.
  return mode !== 'process' && mode !== 'none'
}

function remedy(file: string): string {
  return isAgent(file)
    ? 'Set AbandonProcessGroup to true there, or replace it by plexus service install.'
    : 'Write KillMode=process into its [Service] part, or replace it by plexus service install.'
}

function isAgent(file: string): boolean {
  return file.endsWith('.plist')
}
