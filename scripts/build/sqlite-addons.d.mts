export const ADDONS: readonly string[]
