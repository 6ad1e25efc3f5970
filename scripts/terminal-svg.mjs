// A screen of a terminal, as `tmux capture-pane -e` prints it, as an SVG: text on a grid, readable on light and dark pages,
// without a font of its own.
const WIDTH = 8.4
const HEIGHT = 18
const PADDING = 16

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** Lines with escape sequences; `title` is what a screen reader says of the picture. */
export function terminalSvg(lines, title) {
  const rows = lines.map(runsOf)
  const columns = Math.max(...rows.map((runs) => runs.reduce((sum, { text }) => sum + lengthOf(text), 0)))
  const [width, height] = [columns * WIDTH + 2 * PADDING, lines.length * HEIGHT + 2 * PADDING]
  const texts = rows.flatMap((runs, row) => textsOf(runs, PADDING + (row + 0.75) * HEIGHT))
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" role="img" xml:space="preserve">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    '<rect class="page" width="100%" height="100%" rx="8"/>',
    ...texts,
    '</svg>',
  ].join('\n')}\n`
}

/** Contrast of at least 4.5 on its background, in both schemes. */
const STYLE = [
  'text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#24292f}',
  '.page{fill:#f6f8fa;stroke:#d0d7de}',
  '.bold{font-weight:bold}.dim{fill:#57606a}.red{fill:#a40e26}.green{fill:#116329}.yellow{fill:#7d4e00}',
  '.blue{fill:#0550ae}.magenta{fill:#6639ba}.cyan{fill:#1b5e74}',
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#161b22;stroke:#30363d}.dim{fill:#9da7b3}',
  '.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}}',
].join('')

/** The parts of a line that look the same. */
function runsOf(line) {
  const runs = []
  let look = new Set()
  // oxlint-disable-next-line no-control-regex -- colours are control characters
  for (const [, codes, text] of line.matchAll(/\u001B\[([\d;]*)m|([^\u001B]+)/g)) {
    if (codes !== undefined) look = afterCodes(look, codes)
    else if (text !== undefined) runs.push({ text, look: [...look] })
  }
  return runs
}

function afterCodes(before, codes) {
  let look = new Set(before)
  const without = (...names) => new Set([...look].filter((name) => !names.includes(name)))
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) look = new Set()
    else if (code === 1) look = new Set([...look, 'bold'])
    else if (code === 2) look = new Set([...look, 'dim'])
    else if (code === 22) look = without('bold', 'dim')
    else if (code === 39) look = without(...COLOURS)
    else if (isColour(code)) look = new Set([...without(...COLOURS), COLOURS[code % 10]])
  }
  return look
}

function isColour(code) {
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97)
}

/** Each run has its place and its length, so that no font can move it. */
function textsOf(runs, y) {
  let column = 0
  return runs.flatMap(({ text, look }) => {
    const from = column
    column += lengthOf(text)
    const shown = text.trimEnd()
    if (shown.trim() === '') return []
    const lead = lengthOf(shown) - lengthOf(shown.trimStart())
    const x = round(PADDING + (from + lead) * WIDTH)
    const length = round((lengthOf(shown) - lead) * WIDTH)
    const style = look.length === 0 ? '' : ` class="${look.join(' ')}"`
    return [
      `<text x="${x}" y="${round(y)}" textLength="${length}"${style}>${escaped(shown.trimStart())}</text>`,
    ]
  })
}

function lengthOf(text) {
  return Array.from(text).length
}

function round(value) {
  return Math.round(value * 10) / 10
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
