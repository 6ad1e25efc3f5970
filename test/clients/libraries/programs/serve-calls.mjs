// Calls tools for the suite: one call a line on stdin, `{ tool, input }`, and one answer a line on stdout.
import { createInterface } from 'node:readline'

/** `connect(server)` gives a function that calls a tool and resolves with its text. */
export async function serveCalls(connect) {
  const call = await connect(JSON.parse(process.argv[2]))
  for await (const line of createInterface({ input: process.stdin })) {
    const { tool, input } = JSON.parse(line)
    const answer = await call(tool, input).then(
      (result) => ({ text: textOf(result), isError: false }),
      (error) => ({ text: String(error), isError: true }),
    )
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
  process.exit()
}

const textOf = (result) => (typeof result === 'string' ? result : JSON.stringify(result))
