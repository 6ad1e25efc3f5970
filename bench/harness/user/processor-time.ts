import { readFileSync } from 'node:fs'

/** Processor time that a process has taken, in milliseconds. */
export function processorTimeOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
}

const MS_PER_TICK = 10
