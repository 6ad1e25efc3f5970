import type { Grant } from '../../approvals/grants/grant.ts'
import { AppError } from '../../base/errors.ts'
import type { Store } from '../../sessions/record/store.ts'
import { questionOf } from './grant-view.ts'

/** The one of these grants that a person means: by its question, `web.3`, or by the beginning of its id. */
export async function grantNamed(
  store: Store,
  grants: readonly Grant[],
  text: string,
): Promise<Grant | undefined> {
  const byQuestion: Grant[] = []
  for (const grant of grants)
    if (grant.approvalId === text || (await questionOf(store, grant)) === text) byQuestion.push(grant)
  const meant =
    byQuestion.length > 0 || !ID_PREFIX.test(text)
      ? byQuestion
      : grants.filter(({ id }) => id.startsWith(text))
  if (meant.length > 1)
    throw new AppError(
      'invalid_input',
      `${meant.length} grants are called ${text}; use more of the id: ${meant.map(({ id }) => id).join(', ')}.`,
    )
  return meant[0]
}

/** Fewer characters are too easily mistyped. */
const ID_PREFIX = /^[0-9a-f]{4}[0-9a-f-]{0,31}$/
