/** A real Chromium, from npm on Linux x64, elsewhere the one that `CHROME_PATH` names. */
import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** No traffic of its own: the tests run where only this machine can be reached. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function browserPath(): Promise<string> {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH !== undefined && existsSync(CHROME_PATH)) return CHROME_PATH
  if (process.platform === 'linux' && process.arch === 'x64') return chromium.executablePath()
  throw new Error('There is no Chromium for this platform; name one with CHROME_PATH.')
}

export async function startChromium(): Promise<Browser> {
  return playwright.launch({ executablePath: await browserPath(), args: FLAGS })
}
