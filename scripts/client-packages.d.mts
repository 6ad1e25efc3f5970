export const results: string
export const logs: string
export const packageNames: readonly string[]
export function packageFolder(key: string): string
export function packagePath(key: string): string
export function packageVersion(key: string): string
export function isPackage(key: string): boolean
export function nodeForClients(): string
export function fetchClients(keys: readonly string[]): void
