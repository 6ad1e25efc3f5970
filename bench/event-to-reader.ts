import { once } from 'node:events'
import { pipedEcho } from './harness/echo-child.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { Reader } from './harness/reader.ts'
import { withTalkers } from './harness/talking-hub.ts'

const line = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'hello' }] } }

export const figure: Figure = {
  id: 'P11',
  title: 'a line that a child (`cat`) prints, until a waiting reader has its event',
  reference: 'a line through `cat` on plain pipes',
  unit: 'ms',
  goal: { max: 60 },
  run: () =>
    withTalkers(async (hub, start) => {
      const talker = await start()
      const reader = new Reader(hub, talker.id)
      const piped = pipedEcho()
      try {
        return await inPairs(
          300,
          async () => {
            const spoken = talker.say(line)
            await reader.event('text')
            await spoken
          },
          async () => {
            const echoed = once(piped.stdout, 'data')
            piped.stdin.write(`${JSON.stringify(line)}\n`)
            await echoed
          },
        )
      } finally {
        piped.kill()
      }
    }),
}
