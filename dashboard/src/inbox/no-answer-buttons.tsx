import { choose, mayAnswer } from './inbox-state.ts'

/** The two ways to give no answer to what is filled in: a no that the session reads, and none at all. */
export function NoAnswerButtons() {
  return (
    <>
      <button type="button" class="deny" disabled={!mayAnswer.value} onClick={() => choose('d')}>
        Decline <kbd>d</kbd>
      </button>
      <button type="button" disabled={!mayAnswer.value} onClick={() => choose('c')}>
        Dismiss: no answer <kbd>c</kbd>
      </button>
    </>
  )
}
