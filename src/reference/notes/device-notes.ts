import type { ErrorCode } from '../../base/errors.ts'
import type { VerbName } from '../../engine/verbs.ts'
import type { VerbNote } from './verb-note.ts'

type DeviceVerb = Extract<VerbName, `${string}Device` | `${string}Devices` | `${string}Notices`>

const ONLY_OPERATOR: Partial<Record<ErrorCode, string>> = {
  forbidden: 'the caller is not the operator, or a model calls',
}
const CODE = 'The code from `inviteDevice`.'
const PAIRING =
  '`status` (`open`: no device has shown the code; `claimed`; `ended`), and of a claimed code the `number` to compare and the `label` of the device.'
const DEVICE = '`name`, `scope`, `createdAt`, `lastSeenAt`, and `endsAt` (30 days after its last use).'

const ONLY_DEVICE: Partial<Record<ErrorCode, string>> = {
  forbidden: 'the caller is not a device; a device has only its own notices',
}
const NOTICES =
  '`reasons`, `isPushed` (whether notices are sent while no page is open), and `publicKey`, with which a browser subscribes at its push service.'

export const DEVICE_NOTES: Readonly<Record<DeviceVerb, VerbNote>> = {
  inviteDevice: {
    does: 'Makes a one-time code with which a browser becomes a device of the person. It is valid for a minute.',
    fields: {
      scope:
        '`read` sees all sessions; `answer` also answers and extends; `operate` also starts, prompts, stops, renames and deletes.',
      confirm: 'True if the device gets its token only after `confirmDevice`.',
    },
    returns:
      '`code`, `expiresAt`, the link `url`, and with `confirm` also `proxiedUrl` for other machines if the hub was started with `--behind-proxy`.',
    errors: ONLY_OPERATOR,
    example: { scope: 'answer', confirm: true },
  },
  awaitDevice: {
    does: 'Waits until a device shows a code that needs confirmation.',
    fields: { code: CODE, seconds: 'How long to wait, at most 50.' },
    returns: PAIRING,
    errors: ONLY_OPERATOR,
    example: { code: 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQh', seconds: 50 },
  },
  confirmDevice: {
    does: 'Lets the device that has shown the code have its token, or refuses it.',
    fields: { code: CODE, decision: '`accept` if the number on the device is the same, else `refuse`.' },
    returns: PAIRING,
    errors: ONLY_OPERATOR,
    example: { code: 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQh', decision: 'accept' },
  },
  listDevices: {
    does: 'Lists the devices whose tokens are valid.',
    fields: {},
    returns: `A list of devices: ${DEVICE}`,
    errors: ONLY_OPERATOR,
    example: {},
  },
  removeDevice: {
    does: 'Makes the token of a device invalid, at once.',
    fields: { name: 'The name of the device.' },
    returns: `The device: ${DEVICE}`,
    errors: ONLY_OPERATOR,
    example: { name: 'phone' },
  },
  readNotices: {
    does: 'Returns what the calling device is notified of.',
    fields: {},
    returns: NOTICES,
    errors: ONLY_DEVICE,
    example: {},
  },
  setNotices: {
    does: 'Replaces what the calling device is notified of.',
    fields: {
      reasons:
        'Any of `question`, `expiring`, `failed`, `done`. An empty list switches notices off and forgets the subscription.',
      push: 'The subscription of the browser, as it names its parts: `endpoint` (https, with a public host name), `p256dh` and `auth` (base64url). Notices are then sent to it, encrypted, also while no page is open. Without it nothing is sent.',
    },
    returns: NOTICES,
    errors: ONLY_DEVICE,
    example: { reasons: ['question', 'expiring'] },
  },
}
