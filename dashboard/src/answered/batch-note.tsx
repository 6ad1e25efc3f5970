import { questionLine } from '../../../src/command-line/views/question-views.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { batch } from '../inbox/inbox-state.ts'
import { type Batch, batchSentence } from './batch-sentence.ts'

/** What became of several questions that were answered as one decision: how many, which, or why none was. */
export function BatchNote() {
  const done = batch.value
  if (!done) return null
  return (
    <section class="batch" role={done.problem === undefined ? 'status' : 'alert'}>
      <p>
        {batchSentence(done)}{' '}
        <button type="button" class="small" onClick={() => (batch.value = undefined)}>
          Hide
        </button>
      </p>
      <Which batch={done} />
    </section>
  )
}

function Which({ batch: { questions } }: { readonly batch: Batch }) {
  return (
    <ul>
      {questions.map((question) => (
        <li key={question.id}>
          <a href={`#/q/${question.id}`}>{visibleText(question.shortId ?? question.id.slice(0, 8))}</a>{' '}
          {questionLine(question).replace(/^wants to /, '')}
        </li>
      ))}
    </ul>
  )
}
