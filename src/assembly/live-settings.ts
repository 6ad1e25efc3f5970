import { statSync } from 'node:fs'
import type { Log } from '../base/log.ts'
import { fileStamp } from '../system/file-stamp.ts'
import { ConfigFile, configFilePath, readConfigFile } from './config-file.ts'

/** The rights that a person gives and takes away while a hub runs. */
type Rights = Pick<ConfigFile, 'trusted' | 'scopes'>

const NONE: Rights = { trusted: [], scopes: {} }

/** What `config.json` says of rights at this moment. The file is read again only if it has changed. */
export class LiveSettings {
  readonly #home: string
  readonly #log: Log
  #read: { readonly stamp: string | undefined; readonly rights: Rights } | undefined

  constructor(home: string, log: Log) {
    this.#home = home
    this.#log = log
  }

  get current(): Rights {
    const path = configFilePath(this.#home)
    const stamp = fileStamp(statSync(path, { bigint: true, throwIfNoEntry: false }))
    if (!this.#read || this.#read.stamp !== stamp) this.#read = { stamp, rights: this.#rights() }
    return this.#read.rights
  }

  /** A file that cannot be read gives no rights: a right that was taken away in it must not hold on. */
  #rights(): Rights {
    try {
      return readConfigFile(this.#home)
    } catch (error) {
      this.#log.warn('config.json cannot be read, so no folder is trusted by it and no client has scopes.', {
        error,
      })
      return NONE
    }
  }
}
