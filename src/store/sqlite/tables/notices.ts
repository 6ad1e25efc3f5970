import type { NoticeSettings, NoticeStore } from '../../../notices/notice-settings.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteNotices(db: Connection): NoticeStore {
  // A cache, because every question needs them; nothing else writes this table.
  let all: readonly NoticeSettings[] | undefined
  const read = () => (all ??= db.all('SELECT body FROM notices ORDER BY n', []).map(settingsOf))
  const changed = (change: () => unknown) => {
    change()
    all = undefined
  }
  const write = (settings: NoticeSettings) =>
    db.run(
      `INSERT INTO notices (device, body) VALUES (?, ?)
       ON CONFLICT (device) DO UPDATE SET body = excluded.body`,
      [settings.device, JSON.stringify(settings)],
    )
  return {
    get: async (device) => structuredClone(read().find((one) => one.device === device)),
    put: async (settings) =>
      changed(() => {
        for (const { push, ...rest } of read())
          if (settings.push && rest.device !== settings.device && push?.endpoint === settings.push.endpoint)
            write(rest)
        write(settings)
      }),
    remove: async (device) => changed(() => db.run('DELETE FROM notices WHERE device = ?', [device])),
    list: async () => read().map((one) => structuredClone(one)),
  }
}

function settingsOf({ body }: { body: string }): NoticeSettings {
  return JSON.parse(body)
}
