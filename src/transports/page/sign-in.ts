import { z } from 'zod'
import { parseInput } from '../../base/parse-input.ts'
import type { CodeOrigin } from '../../devices/device-codes.ts'
import type { Devices, SignIn as SignInResult } from '../../devices/devices.ts'

/** The one path where a code stands in for a token. */
export const SIGN_IN_PATH = '/device'

/** How long a device that waits for its person holds the request. */
const WAIT_SECONDS = 25
const MAX_CODE = 100
const shortText = (field: string) => z.string(`${field} must be text.`).max(MAX_CODE, `${field} is too long.`)

const SignIn = z.union(
  [
    z.strictObject({ code: shortText('code'), name: shortText('name').default('browser') }),
    z.strictObject({ code: shortText('code'), check: z.literal(true) }),
    z.strictObject({ secret: shortText('secret') }),
  ],
  'Send a code and a name, a code to check, or the secret of a device that waits.',
)

/** What lets a browser sign in, the one thing that needs no token but a one-time code; and whether it was signed out again. */
export type SignIns = Pick<Devices, 'signIn' | 'checkCode' | 'confirmedSignIn' | 'onRemoved'>

/** Exchanges or checks a one-time code, or exchanges the secret of a device that waits for confirmation, for the token of a device. */
export async function signInBy(
  devices: SignIns,
  body: string,
  { from, signal }: { readonly from: CodeOrigin; readonly signal: AbortSignal },
): Promise<SignInResult> {
  const input = parseInput(SignIn, parsedJson(body))
  if ('check' in input) return devices.checkCode(input.code, from)
  return 'code' in input
    ? devices.signIn(input.code, input.name, from)
    : devices.confirmedSignIn(input.secret, WAIT_SECONDS, signal)
}

function parsedJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
