import type { Store } from '../../src/sessions/record/store.ts'
import type { LoadedRules } from '../../src/rules/rules-file.ts'
import { rulesFor } from './rules.ts'

/** Rules, a budget and the rows of the record: all of them, or none. */
export interface Switched {
  readonly rules?: () => { readonly rules: LoadedRules }
  readonly budget?: { readonly usd: number; readonly tokens: number }
  readonly storeOf: (store: Store) => Store
}

/** 1,000 rules, none of which decides: the call is asked about. */
export function switchedOn(): Switched {
  const rules = rulesFor(1_000, [])
  return { rules: () => ({ rules }), budget: { usd: 1_000, tokens: 1e9 }, storeOf: (store) => store }
}

/**
 * No row is put together, hashed and stored. What a row would say is still found out of the events: the product has no switch
 * for that.
 */
export function switchedOff(): Switched {
  return {
    storeOf: (store) => ({
      ...store,
      journal: {
        append: (given, options) =>
          store.journal.append(
            [given].flat().map((step) => ({ ...step, recorded: undefined })),
            options,
          ),
      },
      approvals: {
        ...store.approvals,
        setDelivery: (id, delivery) => store.approvals.setDelivery(id, delivery),
      },
    }),
  }
}
