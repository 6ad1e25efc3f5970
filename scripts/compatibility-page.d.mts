interface PackageRun {
  platform: string
  node: string
  sqlite: string
  cli: string
}
export function compatibilityPage(page: string, runs: readonly PackageRun[]): string
