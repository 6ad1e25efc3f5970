/**
 * Escapes every character that would be invisible, move the cursor, change colours or reverse the direction of writing, so
 * that a person who reads the text reads what would run. Newlines stay.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => SHORT[character] ?? escapeOf(character))
}

/** Controls, formats (bidi, zero-width, tags), lone surrogates, fillers, and every space but the usual one. */
export const HIDDEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r' }

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
