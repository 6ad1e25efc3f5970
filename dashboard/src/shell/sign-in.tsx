import { effect, signal, useSignal } from '@preact/signals'
import type { SignIn } from '../../../src/devices/devices.ts'
import { connection } from '../hub/connection.ts'
import { HubAway } from '../hub/hub-client.ts'
import { keepToken, linkCode } from '../hub/device-token.ts'
import { deviceLabel, signIn } from '../hub/sign-in-request.ts'

/** The code of the link that opened this page; it is used once. */
const code = signal(linkCode)
const problem = signal<string | undefined>(undefined)
/** Shown while a person at the hub's machine compares it. */
const number = signal<string | undefined>(undefined)

/** A link that is no longer valid says so before anybody clicks: when the page opens, and when its minute is over. */
effect(() => {
  const given = code.value
  if (given === undefined) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = async () => {
    try {
      const checked = await signIn({ code: given, check: true })
      if (checked.status === 'valid' && code.peek() === given)
        timer = setTimeout(() => void check(), checked.msLeft)
    } catch (error) {
      if (code.peek() === given && !(error instanceof HubAway)) fail(error)
    }
  }
  void check()
  return () => clearTimeout(timer)
})

function fail(error: unknown): void {
  code.value = undefined
  problem.value = error instanceof Error ? error.message : String(error)
}

/** Exchanges the code of a link, or says how to get one. */
export function SignInPage() {
  const isRemembered = useSignal(false)
  if (number.value !== undefined)
    return (
      <main class="sign-in" aria-live="polite">
        <h1>Plexus</h1>
        <p>Compare this number with the one at the hub’s machine, and confirm it there.</p>
        <p class="number">{number.value}</p>
      </main>
    )
  if (code.value === undefined) return <HowToSignIn />
  return (
    <main class="sign-in">
      <h1>Plexus</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void exchange(isRemembered.value)
        }}
      >
        <p>This signs in this tab of your browser.</p>
        <label>
          <input
            type="checkbox"
            checked={isRemembered.value}
            onChange={({ currentTarget }) => (isRemembered.value = currentTarget.checked)}
          />{' '}
          Keep this browser signed in for 30 days
        </label>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  )
}

function HowToSignIn() {
  return (
    <main class="sign-in">
      <h1>Plexus</h1>
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <p>
        This page shows what your Claude Code sessions ask. To sign in, run this at the machine of the hub,
        and open the link that it prints:
      </p>
      <pre>plexus open</pre>
      <p class="faint">Where you started it with npm start, Enter there prints a new link.</p>
    </main>
  )
}

async function exchange(isRemembered: boolean): Promise<void> {
  const given = code.value
  code.value = undefined
  problem.value = undefined
  if (given === undefined) return
  try {
    const { token, device } = await confirmed(
      await signIn({ code: given, name: deviceLabel(navigator.userAgent) }),
    )
    keepToken({ token, scope: device.scope }, isRemembered)
    connection.value = 'connecting'
  } catch (error) {
    fail(error)
  }
  number.value = undefined
}

/** Waits until a person has compared the numbers, if that is needed. */
async function confirmed(first: SignIn): Promise<Extract<SignIn, { status: 'signed_in' }>> {
  let result = first
  if (result.status === 'confirm') {
    const { secret } = result
    number.value = result.number
    do result = await signIn({ secret })
    while (result.status === 'waiting')
  }
  if (result.status === 'signed_in') return result
  throw new Error('The person at the hub’s machine refused this browser.')
}
