import { AppError } from '../base/errors.ts'
import type { DeviceNotices } from '../notices/device-notices.ts'
import type { Devices } from '../devices/devices.ts'
import type { DeviceScope } from '../callers/device-scope.ts'
import type { Engine } from './engine.ts'

type DeviceVerbs = Pick<
  Engine,
  | 'inviteDevice'
  | 'awaitDevice'
  | 'confirmDevice'
  | 'listDevices'
  | 'removeDevice'
  | 'readNotices'
  | 'setNotices'
>

export interface InviteDevice {
  readonly scope: DeviceScope
  readonly confirm?: true | undefined
}

export interface DeviceParts {
  readonly devices?: Devices | undefined
  readonly notices?: DeviceNotices | undefined
}

/** The verbs about devices. Each checks the caller itself: they are about no session. */
export function deviceVerbs({ devices, notices }: DeviceParts): DeviceVerbs {
  const present = () => devices ?? noPage()
  const settings = () => notices ?? noPage()
  return {
    inviteDevice: async ({ caller }, { scope, confirm = false }) =>
      present().invite(caller, { scope, confirm }),
    awaitDevice: async ({ caller, signal }, { code, seconds }) =>
      present().pairing(caller, code, { seconds, signal }),
    confirmDevice: async ({ caller }, { code, decision }) => {
      present().confirm(caller, code, decision === 'accept')
      return present().pairing(caller, code, { seconds: 0 })
    },
    listDevices: async ({ caller }) => present().list(caller),
    removeDevice: async ({ caller }, { name }) => present().remove(caller, name),
    readNotices: async ({ caller }) => settings().read(caller),
    setNotices: async ({ caller }, input) => settings().set(caller, input),
  }
}

function noPage(): never {
  throw new AppError('invalid_input', 'This hub has no page, so it has no devices.')
}
