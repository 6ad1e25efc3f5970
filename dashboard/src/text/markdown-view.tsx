import type { ComponentChildren } from 'preact'
import { visibleText } from '../../../src/text/visible-text.ts'
import { type Block, type Inline, type ListItem, parseMarkdown } from './markdown.ts'

/** A plan, or the text of a model, as a person reads it. Hidden characters are visible in it too. */
export function Markdown({ text }: { readonly text: string }) {
  return <div class="markdown">{parseMarkdown(visibleText(text)).map(blockView)}</div>
}

function blockView(block: Block, key: number): ComponentChildren {
  switch (block.type) {
    case 'heading':
      // The page has one h1; what a child writes stays below the headings of the card.
      return (
        <p
          key={key}
          role="heading"
          aria-level={Math.min(block.level + 3, 6)}
          class={`heading-${block.level}`}
        >
          {inlineView(block.content)}
        </p>
      )
    case 'paragraph':
      return <p key={key}>{inlineView(block.content)}</p>
    case 'quote':
      return <blockquote key={key}>{inlineView(block.content)}</blockquote>
    case 'code':
      return (
        <figure key={key}>
          {block.language !== '' && <figcaption class="faint">{block.language}</figcaption>}
          <pre tabIndex={0}>
            <code>{block.text}</code>
          </pre>
        </figure>
      )
    case 'list':
      return block.ordered ? (
        <ol key={key}>{block.items.map(itemView)}</ol>
      ) : (
        <ul key={key}>{block.items.map(itemView)}</ul>
      )
    case 'table':
      return (
        <table key={key}>
          <tbody>
            {block.rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, column) =>
                  row === 0 ? (
                    <th key={column}>{inlineView(cell)}</th>
                  ) : (
                    <td key={column}>{inlineView(cell)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )
    case 'rule':
      return <hr key={key} />
  }
}

function itemView({ depth, checked, content }: ListItem, key: number) {
  return (
    <li key={key} class={`depth-${depth}`}>
      {checked !== undefined && <span aria-label={checked ? 'done' : 'open'}>{checked ? '☑ ' : '☐ '}</span>}
      {inlineView(content)}
    </li>
  )
}

function inlineView(parts: readonly Inline[]): ComponentChildren {
  return parts.map((part, key) => {
    switch (part.type) {
      case 'code':
        return <code key={key}>{part.text}</code>
      case 'strong':
        return <strong key={key}>{part.text}</strong>
      case 'emphasis':
        return <em key={key}>{part.text}</em>
      case 'link':
        return (
          <span key={key}>
            {part.text} <span class="faint">({part.address})</span>
          </span>
        )
      case 'text':
        return part.text
    }
  })
}
