export const platformPackages: string[]
export function installedCli(root: string): string | undefined
