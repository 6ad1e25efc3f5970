import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** What a session asked with choices, after it is over: also a question that nobody answered had options. */
export function AskedChoices({ questions }: Pick<PendingQuestion, 'questions'>) {
  return (
    <>
      {questions.map(({ question, header, options, descriptions }, index) => (
        <section key={index} class="asked">
          <p>
            {header !== undefined && <span class="tag">{visibleText(header)}</span>} {visibleText(question)}
          </p>
          <ul>
            {options.map((option, place) => (
              <li key={place}>
                {visibleText(option)} <span class="faint">{visibleText(descriptions?.[place] ?? '')}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
