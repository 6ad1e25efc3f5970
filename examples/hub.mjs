// What the examples share: calls to the hub that runs here, which its home folder says where to find.
//   PLEXUS_HOME   the home folder of the hub; if left out, where a hub without one has it
//   PLEXUS_FOLDER where the sessions work; if left out, a new folder among the temporary ones
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const { PLEXUS_HOME, PLEXUS_FOLDER, XDG_STATE_HOME } = process.env
const usual = process.platform === 'darwin' ? 'Library/Application Support' : '.local/state'
const home = PLEXUS_HOME ?? join(XDG_STATE_HOME ?? join(homedir(), usual), 'plexus')

/** Where the sessions of the examples work. */
export const folder = PLEXUS_FOLDER ?? realpathSync(mkdtempSync(join(tmpdir(), 'plexus-example-')))

function inHome(file) {
  try {
    return readFileSync(join(home, file), 'utf8').trim()
  } catch {
    console.error(
      `No hub runs with the home folder ${home}: start one with npm start, or set PLEXUS_HOME to its home.`,
    )
    process.exit(1)
  }
}

const { url } = JSON.parse(inHome('hub.json'))
const token = inHome('operator.token')

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
