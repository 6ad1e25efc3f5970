import { expect, test } from 'vitest'
import { terminalSvg } from '../../scripts/terminal-svg.mjs'

const textsIn = (svg: string) => svg.match(/<text .*<\/text>/g) ?? []

test('each run of a line has its column, its length and its colours', () => {
  const svg = terminalSvg(['ab \u001B[1;32mcd\u001B[39m e\u001B[0m f', '  g'], 'A screen')
  expect(textsIn(svg)).toEqual([
    '<text x="16" y="29.5" textLength="16.8">ab</text>',
    '<text x="41.2" y="29.5" textLength="16.8" class="bold green">cd</text>',
    '<text x="66.4" y="29.5" textLength="8.4" class="bold">e</text>',
    '<text x="83.2" y="29.5" textLength="8.4">f</text>',
    '<text x="32.8" y="47.5" textLength="8.4">g</text>',
  ])
})

test('what a screen says stays text: no markup of it reaches the picture', () => {
  const svg = terminalSvg(['<script>&'], 'a < b')
  expect(textsIn(svg)).toEqual(['<text x="16" y="29.5" textLength="75.6">&lt;script&gt;&amp;</text>'])
  expect(svg).toContain('<title>a &lt; b</title>')
})
