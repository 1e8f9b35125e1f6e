import { ITEM, ORDER } from '../customer/resolve-order.ts'
import type { Dialogue, OpenIntent, QueuedIntent } from '../turn/dialogue.ts'

/** What is done in place of a request that waits for a person: a return asks for its money later. */
const IN_PLACE_OF: Readonly<Record<string, string>> = { return: 'refund' }

/** The requests that wait for a person, and that are taken back where this is done for the same thing. */
export const replacedBy = (
  { blocked }: Pick<Dialogue, 'blocked'>,
  { intentId, params }: QueuedIntent,
): readonly OpenIntent[] =>
  blocked.filter((one) => {
    const items = [one.params[ITEM], params[ITEM]]
    const isSame = items.includes(undefined) || items[0] === items[1]
    return (
      one.intentId === IN_PLACE_OF[intentId] &&
      params[ORDER] !== undefined &&
      one.params[ORDER] === params[ORDER] &&
      isSame
    )
  })
