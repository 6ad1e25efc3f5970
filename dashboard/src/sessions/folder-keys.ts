/** What a list of choices below a field shows. */
interface ListState {
  readonly count: number
  /** -1 if none is. */
  readonly active: number
  readonly isOpen: boolean
}

interface Pressed {
  readonly active: number
  readonly isOpen: boolean
  readonly chosen?: number
}

/** What a key does to the list; undefined if it belongs to the field or to the form. Pure. */
export function keyInList(key: string, { count, active, isOpen }: ListState): Pressed | undefined {
  if (key === 'Escape') return isOpen ? { isOpen: false, active: -1 } : undefined
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return { isOpen: true, active: isOpen ? (active + 1) % count : 0 }
    case 'ArrowUp':
      return { isOpen: true, active: isOpen && active > 0 ? active - 1 : count - 1 }
    case 'Enter':
      return isOpen && active >= 0 ? { isOpen, active: -1, chosen: active } : undefined
    case 'Tab':
      // As in a shell: what is left to choose is completed, and otherwise the focus moves on.
      return isOpen && active >= 0 ? { isOpen, active: -1, chosen: active } : undefined
    default:
      return undefined
  }
}
