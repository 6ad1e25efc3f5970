/** Lets go of everything that nothing can reach any more, now. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** In this moment: who wants to know of it is not told yet. */
export const collectNow = runInNewContext('gc') as () => void

export async function collectGarbage(): Promise<void> {
  await setImmediate() // what was looked at in this moment is kept until its end
  collectNow()
  await setImmediate() // finalizers are called
}
