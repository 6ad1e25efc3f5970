import { codeTokens, languageOf } from '../text/code-tokens.ts'

const MARKS: Readonly<Record<string, { readonly name: string; readonly label: string }>> = {
  '+': { name: 'added', label: 'added' },
  '-': { name: 'removed', label: 'removed' },
  '@': { name: 'place', label: '' },
  ' ': { name: 'same', label: '' },
}

/** The lines of a diff. What is added and removed is said by its mark too, not by colour alone. */
export function DiffView({ path, lines }: { readonly path: string; readonly lines: readonly string[] }) {
  const language = languageOf(path)
  return (
    <pre class="diff" tabIndex={0} aria-label={`Changes of ${path}`}>
      {lines.map((line, index) => {
        const mark = MARKS[line[0] ?? ' '] ?? MARKS[' ']
        const text = line.slice(2)
        return (
          <span key={index} class={`line ${mark?.name}`}>
            <span class="mark" aria-label={mark?.label}>
              {line[0]}{' '}
            </span>
            {mark?.name === 'place'
              ? text
              : codeTokens(text, language).map((token, at) => (
                  <span key={at} class={token.type}>
                    {token.text}
                  </span>
                ))}
            {'\n'}
          </span>
        )
      })}
    </pre>
  )
}
