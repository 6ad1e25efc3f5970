/** How many characters of a long path the CLI keeps before it goes on with a hash. */
const MAX_NAME = 200

/**
 * Whether the transcripts of a working directory can lie in this folder of `projects/`. The name is lossy: every
 * character but letters and digits became a dash, so a yes is only a maybe.
 */
export function mayContain(folderName: string, workingDirectory: string): boolean {
  const name = workingDirectory.replaceAll(/[^A-Za-z0-9]/g, '-')
  return name.length <= MAX_NAME ? folderName === name : folderName.startsWith(`${name.slice(0, MAX_NAME)}-`)
}
