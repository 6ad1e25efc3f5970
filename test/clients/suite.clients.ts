/** Every client by both transports; `npm run test:clients` makes the table of what is kept here. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { results } from '../../scripts/client-packages.mjs'
import { RUNS, TRANSPORTS } from './client.ts'
import { CLIENTS } from './clients.ts'
import { runClient } from './run-client.ts'

const named = process.env['PLEXUS_CLIENTS']?.split(',')
const chosen = CLIENTS.filter(({ name }) => !named || named.includes(name))

describe.each(chosen)('$name', (client) => {
  for (const transport of TRANSPORTS)
    test.each(RUNS)(`over ${transport}: %s`, async (run) => {
      const refusal = client.notFor?.[transport]
      const cells = refusal ? undefined : await runClient({ client, transport, run })
      const { name, title, version, setup } = client
      const row = {
        name,
        title,
        version,
        setup,
        transport,
        run,
        at: CLIENTS.indexOf(client),
        of: CLIENTS.length,
      }
      await mkdir(results, { recursive: true })
      const file = join(results, `${name}-${transport}-${run}.json`)
      await writeFile(file, JSON.stringify({ ...row, refusal, cells }, undefined, 1))
      const failed = Object.entries(cells ?? {}).filter(([, cell]) => cell.startsWith('FAIL'))
      expect(failed).toEqual([])
    })
})
