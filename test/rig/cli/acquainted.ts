import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Answers what an interactive CLI would otherwise ask a person at its first start in a folder. */
export async function acquaint(configFolder: string, project: string): Promise<void> {
  await mkdir(configFolder, { recursive: true })
  const known = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    fullscreenUpsellSeenCount: 3,
    customApiKeyResponses: { approved: ['fake'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
  await writeFile(join(configFolder, '.claude.json'), JSON.stringify(known))
}
