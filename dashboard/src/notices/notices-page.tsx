import { useSignal } from '@preact/signals'
import { NOTICE_REASONS, type NoticeReason } from '../../../src/notices/notice.ts'
import { connection } from '../hub/connection.ts'
import { choose, chosen, noticesProblem, pushProblem } from './notice-choice.ts'

const LABELS: Readonly<Record<NoticeReason, string>> = {
  question: 'A session asks',
  expiring: 'A question is soon denied, because nobody answers',
  budget: 'A session has used most of its budget',
  failed: 'A session failed',
  done: 'A session is done',
}

/** What this browser is notified of. Everything is off until its person switches it on. */
export function NoticesPage() {
  const problem = useSignal<string | undefined>(undefined)
  const settings = chosen.value
  if (!settings)
    return (
      <main aria-busy="true">
        <p>Reading the notices of this browser …</p>
      </main>
    )
  const { reasons, isPushed } = settings
  const change = async (next: readonly NoticeReason[], isNextPushed: boolean) => {
    problem.value = undefined
    await choose(next, isNextPushed).catch((error: unknown) => {
      problem.value = error instanceof Error ? error.message : String(error)
      // The boxes show what holds, not what was tried.
      chosen.value = { ...settings }
    })
  }
  const cannot = noticesProblem()
  const cannotPush = pushProblem()
  const isOff = cannot !== undefined || connection.value !== 'live'
  return (
    <main>
      <h2>Notices of this browser</h2>
      <p>
        A notice names the session and the tool, and never what would run. There is none while you see this
        page, and it goes away when its question is settled. You can deny from a notice, and never allow.
      </p>
      {cannot !== undefined && <p role="alert">{cannot}</p>}
      {problem.value !== undefined && <p role="alert">{problem.value}</p>}
      <fieldset disabled={isOff}>
        <legend>Notify me when</legend>
        {NOTICE_REASONS.map((reason) => (
          <Choice
            key={reason}
            label={LABELS[reason]}
            isOn={reasons.includes(reason)}
            onChange={(isOn) =>
              void change(
                NOTICE_REASONS.filter((each) => (each === reason ? isOn : reasons.includes(each))),
                isPushed,
              )
            }
          />
        ))}
      </fieldset>
      <fieldset disabled={isOff || cannotPush !== undefined || reasons.length === 0}>
        <legend>While this page is closed</legend>
        <Choice
          label="Send them through the push service of this browser"
          isOn={isPushed}
          onChange={(isOn) => void change(reasons, isOn)}
        />
        <p class="faint">
          {cannotPush ??
            'The maker of your browser runs that service. It sees that there is a message, and when; only this browser can read it.'}
        </p>
      </fieldset>
    </main>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function Choice({ label, isOn, onChange }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => {
          const { checked } = currentTarget
          onChange(checked)
        }}
      />{' '}
      {label}
    </label>
  )
}
