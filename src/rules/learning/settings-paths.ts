/**
 * A path of a rule of Claude Code, such as `~/.ssh/**`, `src/**` or `//etc/hosts`, as a path of ours: a folder stands for all
 * that is in it. A path after a single slash is relative to where the settings file lies, which its text does not say. Pure.
 */
export function pathPattern(
  inner: string,
  effect: 'allow' | 'deny' | 'ask',
): string | { readonly reason: string } {
  const text = inner.trim()
  if (/^\/(?!\/)/.test(text)) return { reason: 'is relative to the folder of its settings file' }
  const path = text.replace(/^\/\//, '/').replace(/^\.\/(?=.)/, '')
  if (path === '**' || path === '.') return '.'
  const folder = path.replace(/\/\*\*(?:\/\*)?$/, '')
  if (/[*?[\]!{}]/.test(folder)) return wild(path, effect)
  const isFolder = folder !== path
  // A bare name is meant at any depth.
  const isAnchored = isFolder || folder.includes('/')
  if (isAnchored) return folder
  return effect === 'allow' ? { reason: 'means such a file in any folder' } : `*/${folder}`
}

/** In a pattern of ours a star stands for any text, so that it matches at least as much. */
function wild(path: string, effect: 'allow' | 'deny' | 'ask'): string | { readonly reason: string } {
  if (effect === 'allow' || /[?[\]!{}]/.test(path)) return { reason: 'has a wildcard in its path' }
  const stars = path.replace(/\*+/g, '*')
  return stars.startsWith('*') || stars.startsWith('/') || stars.startsWith('~') ? stars : `*/${stars}`
}
