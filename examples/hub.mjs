// What the examples share: calls to a hub whose address and token are in the environment.
//   PLEXUS_URL    http://127.0.0.1:4445 if left out
//   PLEXUS_TOKEN  what is in operator.token of the hub's home folder
import { tmpdir } from 'node:os'

const url = process.env.PLEXUS_URL ?? 'http://127.0.0.1:4445'
const token = process.env.PLEXUS_TOKEN ?? ''

/** Where the sessions of the examples work. */
export const folder = process.env.PLEXUS_FOLDER ?? tmpdir()

/** One call of JSON-RPC. An error of this family is a result like any other: `{ type: 'error', code, message }`. */
export async function call(method, params = {}) {
  const response = await fetch(`${url}/rpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${method}: ${error.message ?? error.code}`)
  return result
}
