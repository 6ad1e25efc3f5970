import { note, ok, type Outcome } from './finding.ts'

export interface MachineFacts {
  readonly node: string
  readonly platform: string
  readonly arch: string
  readonly isWsl: boolean
}

/** Whether Plexus was run on such a machine, or only written for it. */
export function judgeMachine({ node, platform, arch, isWsl }: MachineFacts): Outcome[] {
  const machine = `${isWsl ? 'WSL' : platform} ${arch}`
  if (machine === 'linux x64') return [ok(`Node ${node} on linux x64, which Plexus was tried on.`)]
  return [
    note(
      `Node ${node} on ${machine}. Plexus is written for it and was tried on linux x64 only; report what fails.`,
    ),
  ]
}
