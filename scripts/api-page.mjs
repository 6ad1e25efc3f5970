// Writes docs/API.md (all operations and verbs, from the schemas that check their input) and docs/COMMANDS.md (all commands).
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const built = join(root, '.cache/tables')
await build({
  cwd: root,
  input: ['api-page', 'commands-page'].map((name) => join(root, `src/reference/${name}.ts`)),
  platform: 'node',
  external: [/^node:/],
  logLevel: 'warn',
  output: { dir: built, format: 'esm', entryFileNames: '[name].mjs' },
})
const page = async (name) => import(pathToFileURL(join(built, `${name}.mjs`)).href)
const [{ apiPage }, { commandsPage }] = [await page('api-page'), await page('commands-page')]
writeFileSync(join(root, 'docs/API.md'), apiPage())
writeFileSync(join(root, 'docs/COMMANDS.md'), commandsPage())
