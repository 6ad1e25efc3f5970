/** How many characters of a long path the CLI keeps before it appends a hash. */
const MAX_NAME = 200

/**
 * Whether this folder of `projects/` may contain the transcripts of a working directory. The name is lossy: every character
 * but letters and digits became a dash, so a yes is only a maybe.
 */
export function mayContain(folderName: string, workingDirectory: string): boolean {
  const name = workingDirectory.replaceAll(/[^A-Za-z0-9]/g, '-')
  return name.length <= MAX_NAME ? folderName === name : folderName.startsWith(`${name.slice(0, MAX_NAME)}-`)
}
