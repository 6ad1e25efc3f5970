/** Lets go of everything that nothing can reach any more, now. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

export async function collectGarbage(): Promise<void> {
  await setImmediate() // what was looked at in this moment is kept until its end
  gc()
  await setImmediate() // finalizers are called
}
