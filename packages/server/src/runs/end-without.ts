import type { RunSummary } from 'echelon/internal/store'
import type { TurnEnd } from '../agents/served-agent.ts'
import { UNMEASURED } from '../agents/unmeasured.ts'

/** The end of a run that left no result. */
export const endWithout = (
  end: Pick<TurnEnd, 'status' | 'reason' | 'cost'> & { readonly detail?: string },
): TurnEnd => ({
  ...UNMEASURED,
  detail: null,
  ...end,
  text: '',
})

/** The end of a run that was given up; `undefined` for any other. */
export function endOfGivenUp({ status, reason }: RunSummary): TurnEnd | undefined {
  if (status !== 'failed') return undefined
  const detail = reason ?? 'the run was given up'
  // The spending of its earlier legs is not known here.
  return endWithout({ status: 'failed', reason: 'given_up', detail, cost: null })
}
