import { release } from 'node:os'
import type { MachineFacts } from '../checks/machine.ts'

export async function machineFacts(): Promise<MachineFacts> {
  const { platform, arch, versions } = process
  return { node: versions.node, platform, arch, isWsl: /microsoft/i.test(release()) }
}
