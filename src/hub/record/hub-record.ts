import type { RecordStore } from '../../audit/record-store.ts'
import type { NoteVerifier } from '../../audit/signed-note.ts'
import type { Log } from '../../base/log.ts'
import { Anchors } from './anchors.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import { cutRecord } from './cut-record.ts'
import { recordSigner } from './record-key.ts'

/** The settings of `config.json` that are about the record. */
interface RecordSettings {
  readonly keep_record_days: number
  readonly anchor_file?: string | undefined
  readonly anchor_syslog: boolean
  readonly on_checkpoint?: string | undefined
}

interface HubRecordParts {
  readonly home: string
  readonly record: RecordStore
  readonly settings: RecordSettings
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
}

/** What a hub does with its record besides writing it: it signs it, anchors it, and cuts what is too old. */
export interface HubRecord {
  readonly verifier: NoteVerifier
  readonly cut: () => Promise<void>
  /** Signs what is left. The store must be open, and nothing may be recorded after it. */
  readonly close: () => Promise<void>
}

const DAY_MS = 24 * 3_600_000

export async function openHubRecord({
  home,
  record,
  settings,
  env,
  log,
}: HubRecordParts): Promise<HubRecord> {
  const signer = await recordSigner(home)
  const {
    anchor_file: file,
    anchor_syslog: syslog,
    on_checkpoint: receiver,
    keep_record_days: days,
  } = settings
  const anchors = new Anchors(
    { file, syslog, receiver },
    {
      env,
      onError: (anchor, reason) =>
        log.warn('A checkpoint of the record was not anchored.', { anchor, reason }),
    },
  )
  const writer = new CheckpointWriter({
    record,
    signer,
    onNote: (note) => anchors.send(note),
    onError: (error) => log.warn('The record could not be signed; it is tried again.', { error }),
  })
  return {
    verifier: signer.verifier,
    cut: () => cutRecord({ record, sign: () => writer.sign() }, days === 0 ? undefined : days * DAY_MS),
    close: async () => {
      await writer.close()
      await anchors.close()
    },
  }
}
