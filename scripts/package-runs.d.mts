export const NODES: readonly string[]
export const OLD_NODES: readonly string[]
export const results: string
export const newerNpm: string
