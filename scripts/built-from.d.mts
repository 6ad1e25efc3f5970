export function sourcesOf(root: string, more?: readonly string[]): string
export function isBuilt(root: string, sources: string, folder?: string): boolean
export function noteBuilt(root: string, sources: string, folder?: string): void
export function forgetBuilt(root: string, folder: string): void
