import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Settings of a project, as its repository brings them: they hold once its folder is trusted. */
export async function projectSettings(
  { project }: { readonly project: string },
  settings: object,
): Promise<void> {
  await mkdir(join(project, '.claude'))
  await writeFile(join(project, '.claude', 'settings.json'), JSON.stringify(settings))
}
