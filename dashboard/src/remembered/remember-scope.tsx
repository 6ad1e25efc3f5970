import {
  chosenScope,
  SCOPE_WORDS,
  scopesOf,
  scopeTexts,
  withHour,
  withScope,
} from '../../../src/command-line/dialog/dialog-scope.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { dialog } from '../inbox/inbox-state.ts'
import { lazyPage } from '../shell/lazy-page.tsx'

const RememberRule = lazyPage(async () => (await import('./remember-rule.tsx')).RememberRule)

/** Where and how long an answer is remembered, and the very text of the rule that would be stored. */
export function RememberScope() {
  const { scope, hour } = chosenScope(dialog.value)
  return (
    <div>
      <fieldset>
        <legend>Not asked about again:</legend>
        {scopesOf(dialog.value).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="remember-scope"
              checked={each === scope}
              onChange={() => (dialog.value = withScope(dialog.peek(), each))}
            />{' '}
            {SCOPE_WORDS[each]}
          </label>
        ))}
        <label>
          <input type="checkbox" checked={hour} onChange={() => (dialog.value = withHour(dialog.peek()))} />{' '}
          for 1 hour at most
        </label>
      </fieldset>
      <RememberRule />
      <pre aria-live="polite">{scopeTexts(dialog.value).map(visibleText).join('\n')}</pre>
    </div>
  )
}
