import { questions } from '../hub/hub-state.ts'

export function InboxPage() {
  const open = questions.value
  if (open === undefined) return <main aria-busy="true">Reading …</main>
  if (open.length === 0) return <main>Nothing waits for you.</main>
  return (
    <main>
      <ul>
        {open.map((question) => (
          <li key={question.id}>{question.questions[0]?.question}</li>
        ))}
      </ul>
    </main>
  )
}
