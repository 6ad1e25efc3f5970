/** docs/SCREENS.md from captures of a terminal. */
export interface Shot {
  readonly title: string
  readonly text: string
}

/** The same in every run: times are fixed, rules have one length, and empty lines at the end are gone. */
export function normalised(screen: string): string {
  return (
    screen
      .replaceAll(/\d\d:\d\d:\d\d/g, '14:02:07')
      .replaceAll(/(?<![\d:])\d+:\d\d(?![\d:])/g, '0:12')
      .replaceAll(/\b\d+ s {2,}/g, (cell) => '12 s'.padEnd(cell.length))
      .replaceAll(/\b\d+ s\b/g, '12 s')
      .replaceAll(/expires in \d+ min/g, 'expires in 4 min')
      // As long as before, so that lines break where they did.
      .replaceAll(/(?<=plexus-test-)\w{6}/g, 'aB3dE6')
      .replaceAll(/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '3f2a9c1e-7b4d-4e2a-9c1e-5d8f7a6b4c3e')
      .replaceAll(/(?<=\/plans\/)[\w-]+(?=\.md)/g, 'calm-blue-otter')
      .replaceAll(/─{4,}/g, '─'.repeat(20))
      .replaceAll(/[ \t]+$/gm, '')
      .trimEnd()
  )
}

/** Without tokens and money: they come from the length of the prompts, which differs by version and by the name of a plan's file. */
export function withoutSums(page: string): string {
  return page.replaceAll(/\d+(?:\.\d+)?k tokens/g, 'tokens').replaceAll(/\$\d+\.\d\d/g, '$0.00')
}

export function screensPage(shots: readonly Shot[]): string {
  const parts = shots.map(({ title, text }) => `## ${title}\n\n\`\`\`\n${text}\n\`\`\``)
  return `${INTRO}\n\n${parts.join('\n\n')}\n`
}

const INTRO = `# The screens

What \`plexus start\`, \`plexus attach\` and \`plexus watch\` show, captured from a real terminal (tmux, 80 columns) with the real CLI and a scripted model. Times are made equal. \`npm run screens\` writes this page anew; a test compares it.

With \`PLEXUS_ACCESSIBLE=1\`, and in a terminal that is called \`dumb\`, nothing is repainted: what can be done is a list with numbers. Where the terminal does not read UTF-8 (\`LANG=C\`), everything is ASCII. \`NO_COLOR\` turns colours off; meaning is never in the colour alone.`
