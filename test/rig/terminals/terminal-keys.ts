/** What a person does at the terminal of an interactive CLI. */
import { eventually } from '../tools/eventually.ts'
import type { Terminal } from '../tools/terminal.ts'

/** Stands in every dialog about a command. */
export const PROCEED = 'Do you want to proceed'

/** Types a prompt, and sends it once it stands there. */
export async function say(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text)
  await terminal.sees(text)
  terminal.press('Enter')
}

/** Waits for the dialog about this command: one before it may still be on the screen. */
export async function seesDialog(terminal: Terminal, command: string): Promise<void> {
  await eventually(async () => {
    const shown = terminal.visible()
    const at = shown.lastIndexOf(PROCEED)
    if (at === -1 || !shown.slice(0, at).includes(command))
      throw new Error(`There is no dialog about ${command}:\n${shown}`)
  })
}

/**
 * Chooses in the dialog of the terminal by its number. 2.1.325 takes no key in the first moments of a dialog, so that one that was
 * not taken is pressed again; not at once, because a key too many would be typed into the next prompt.
 */
export async function chooseThere(terminal: Terminal, choice: 'Yes' | 'No'): Promise<void> {
  await terminal.sees(PROCEED)
  await eventually(async () => {
    const shown = terminal.visible()
    const [, number] = new RegExp(`(\\d)\\. ${choice}\\b`).exec(shown) ?? []
    if (number !== undefined) terminal.press(number)
    await eventually(() => {
      if (terminal.visible().includes(PROCEED)) throw new Error('The dialog is still there.')
    }, KEY_MS)
  })
}

/** Presses a key, again if it was not taken, for the same reason; only one that does no harm if it is pressed once too often. */
export async function pressUntil(terminal: Terminal, key: string, isTaken: () => boolean): Promise<void> {
  await eventually(async () => {
    terminal.press(key)
    await eventually(() => {
      if (!isTaken()) throw new Error(`${key} was not taken:\n${terminal.visible()}`)
    }, KEY_MS)
  })
}

/** In that time a key that was taken has changed what is shown. */
const KEY_MS = 1_000

/** Ends the CLI as a person does. */
export async function leave(terminal: Terminal): Promise<void> {
  await say(terminal, '/exit')
  terminal.press('Enter') // the first one may only choose it from the list of commands
  await terminal.sees('exit code 0')
}
