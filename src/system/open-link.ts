import { spawn } from 'node:child_process'

/** Has a program of the desktop open a link; returns whether the program began. It may run on as the browser itself. */
export function openLink(program: string, url: string): Promise<boolean> {
  const opener = spawn(program, [url], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    opener.once('error', () => resolve(false))
    opener.once('spawn', () => {
      opener.unref()
      resolve(true)
    })
  })
}
