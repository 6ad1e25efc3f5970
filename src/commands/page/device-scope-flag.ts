import { AppError } from '../../base/errors.ts'
import { DEVICE_SCOPES, type DeviceScope } from '../../callers/device-scope.ts'
import type { FlagValues } from '../../command-line/command.ts'

/** What `--scope` lets a browser do. */
export function deviceScope(flags: FlagValues, byDefault: DeviceScope): DeviceScope {
  const given = flags.text('scope') ?? byDefault
  const scope = DEVICE_SCOPES.find((known) => known === given)
  if (scope !== undefined) return scope
  throw new AppError('invalid_input', `--scope must be one of ${DEVICE_SCOPES.join(', ')}.`)
}
