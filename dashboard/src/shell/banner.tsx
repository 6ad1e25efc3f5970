import { connection, heardAt } from '../hub/connection.ts'

/** Says that what is shown may be old. Nothing can be answered meanwhile. */
export function Banner() {
  if (connection.value !== 'away') return null
  const time = new Date(heardAt.value).toLocaleTimeString()
  return (
    <p class="banner" role="status">
      The hub does not answer. This is what it said at {time}; nothing can be answered until it is back.
    </p>
  )
}
