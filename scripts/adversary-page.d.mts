export function shown(command: string): string
export function shownAttack(attack: {
  readonly before: readonly string[]
  readonly command: string
  readonly inBackground: boolean
}): string
