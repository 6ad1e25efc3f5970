import { useEffect, useRef } from 'preact/hooks'
import {
  chosenScope,
  SCOPE_WORDS,
  scopesOf,
  scopeTexts,
  withHour,
  withScope,
} from '../../../src/command-line/dialog/dialog-scope.ts'
import { sessions } from '../hub/hub-state.ts'
import { dialog } from '../inbox/inbox-state.ts'
import { RememberRule } from './remember-rule.tsx'
import { SCOPE_MEANINGS, withSessionNames } from './grant-words.ts'

/** Where and how long an answer is remembered, and the very text of the rule that would be stored. */
export function RememberScope() {
  const { scope, hour } = chosenScope(dialog.value)
  const panel = useRef<HTMLDivElement>(null)
  // It stands below what is asked, so that it hides nothing of it; a person who opens it wants to see it.
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [dialog.value.offered])
  return (
    <div class="remember" ref={panel}>
      <fieldset>
        <legend>Allow it, and do not ask again:</legend>
        {scopesOf(dialog.value).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="remember-scope"
              checked={each === scope}
              onChange={() => (dialog.value = withScope(dialog.peek(), each))}
            />{' '}
            {SCOPE_WORDS[each]} <small class="faint">{SCOPE_MEANINGS[each]}</small>
          </label>
        ))}
        <label>
          <input type="checkbox" checked={hour} onChange={() => (dialog.value = withHour(dialog.peek()))} />{' '}
          for 1 hour at most
        </label>
      </fieldset>
      <RememberRule />
      <p class="faint">The rule that is stored:</p>
      <pre aria-live="polite">
        {scopeTexts(dialog.value)
          .map((text) => withSessionNames(text, sessions.value ?? []))
          .join('\n')}
      </pre>
    </div>
  )
}
