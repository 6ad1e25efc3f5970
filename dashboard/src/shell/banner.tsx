import { connection, heardAt } from '../hub/connection.ts'
import { questions } from '../hub/hub-state.ts'

/** Says that what is shown may be old. Nothing can be answered meanwhile. */
export function Banner() {
  if (connection.value !== 'away') return null
  if (questions.value === undefined)
    return (
      <p class="banner" role="status">
        The hub does not answer. Nothing can be shown or answered until it is back.
      </p>
    )
  const time = new Date(heardAt.value).toLocaleTimeString()
  return (
    <p class="banner" role="status">
      The hub does not answer. This is what it said at {time}; nothing can be answered until it is back.
    </p>
  )
}
