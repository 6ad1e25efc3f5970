/**
 * The first file that Node reads, and the only one that a Node of any age has to parse: its syntax is as old as Node 6, and
 * nothing else is loaded before the check.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 20 || (major === 20 && minor < 19))
  refuse(`Plexus needs Node 20.19 or later, and this is Node ${process.versions.node}; install a newer one.`)
else if (process.platform === 'win32') refuse('Plexus does not run on Windows yet. Run it inside WSL.')
else void import('./main.ts')

function refuse(sentence: string): void {
  process.stderr.write(`plexus: ${sentence}\n`)
  process.exitCode = 2
}
