export function sourceFiles(root: string, folder: string): string[]
export function pureModules(root: string): string[]
