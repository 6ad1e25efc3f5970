/**
 * A text as it is: what would be invisible, move the cursor, change colours or turn the direction of writing is shown as an
 * escape, so that who reads it reads what would run. Lines stay lines.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escapeOf(character))
}

/** Controls, formats (bidi, zero-width, tags), lone halves of characters, fillers, and every space that is not the usual one. */
const HIDDEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r' }

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
