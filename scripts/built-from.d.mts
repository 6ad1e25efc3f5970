export function sourcesOf(root: string): string
export function isBuilt(root: string, sources: string): boolean
export function noteBuilt(root: string, sources: string): void
