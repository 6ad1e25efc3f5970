import { codeTokens, languageOf, type Token } from '../text/code-tokens.ts'
import { Joined } from '../text/joined.tsx'
import { type DiffRow, diffRows, type Part } from './diff-rows.ts'

const MARKS: Readonly<Record<string, { readonly name: string; readonly label: string }>> = {
  '+': { name: 'added', label: 'added' },
  '-': { name: 'removed', label: 'removed' },
  '@': { name: 'place', label: '' },
  ' ': { name: 'same', label: '' },
}

interface DiffProps {
  readonly path: string
  readonly lines: readonly string[]
  /** The lines have numbers in the file. */
  readonly isPlaced: boolean
}

/** The lines of a diff. What is added and removed is said by its mark too, not by colour alone. */
export function DiffView({ path, lines, isPlaced }: DiffProps) {
  const language = languageOf(path)
  return (
    <pre class={isPlaced ? 'diff placed' : 'diff'} tabIndex={0} aria-label={`Changes of ${path}`}>
      {diffRows(lines, isPlaced).map((row, index) => (
        <Line key={index} row={row} language={language} />
      ))}
    </pre>
  )
}

function Line({ row, language }: { row: DiffRow; language: ReturnType<typeof languageOf> }) {
  const mark = MARKS[row.mark] ?? MARKS[' ']
  const text = row.parts.map((part) => part.text).join('')
  return (
    <span class={`line ${mark?.name}`}>
      {/* By its style sheet, so that a person who copies the text copies no numbers. */}
      <span class="line-number" data-number={row.number ?? ''} />
      <span class="mark" aria-label={mark?.label}>
        {row.mark}{' '}
      </span>
      {mark?.name === 'place'
        ? text
        : split(codeTokens(text, language), row.parts).map((token, at) => (
            <span key={at} class={token.isChanged ? `${token.type} changed` : token.type}>
              <Joined text={token.text} />
            </span>
          ))}
      {'\n'}
    </span>
  )
}

/** The tokens of a line, cut where a changed part begins or ends. */
function split(tokens: readonly Token[], parts: readonly Part[]): (Token & Part)[] {
  const all: (Token & Part)[] = []
  let [at, left] = [0, parts[0]?.text.length ?? 0]
  for (const { type, text } of tokens)
    for (let start = 0; start < text.length;) {
      while (left === 0 && at < parts.length - 1) left = parts[++at]?.text.length ?? 0
      const length = left === 0 ? text.length - start : Math.min(left, text.length - start)
      all.push({ type, text: text.slice(start, start + length), isChanged: parts[at]?.isChanged ?? false })
      start += length
      left -= length
    }
  return all
}
