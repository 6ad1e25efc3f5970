/** Letters belong to the text that is being typed, and to the browser with a modifier. */
export function isForText({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit)$/.test(target.type)
  return target instanceof HTMLElement && /^(TEXTAREA|SELECT)$/.test(target.tagName)
}
