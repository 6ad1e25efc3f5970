import { sessions } from '../hub/hub-state.ts'

export function SessionsPage() {
  return (
    <main>
      <ul>
        {sessions.value?.map(({ id, name, status }) => (
          <li key={id}>
            {name ?? id.slice(0, 8)} {status}
          </li>
        ))}
      </ul>
    </main>
  )
}
