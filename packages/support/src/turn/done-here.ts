import { ORDER } from '../customer/resolve-order.ts'
import { fill } from '../wording/fill.ts'
import { answerIn } from './kept-history.ts'
import type { SupportSettings } from './support-settings.ts'
import type { SupportState } from './support-state.ts'

/** What was done with orders in the whole conversation, in the words of each answer. */
export function doneHere(
  { registry, acting }: SupportSettings,
  { history, calls }: SupportState,
): readonly string[] {
  const earlier = history.flatMap((message) => answerIn(message).calls)
  return [...earlier, ...calls].flatMap(({ call, result }) => {
    const intent = registry.config.intents.find(({ tool }) => tool === call.toolName)
    const isDone = result.success && acting.includes(call.toolName)
    if (!isDone || intent === undefined || !intent.requiredParams.includes(ORDER)) return []
    const said = fill(intent.wording.post, { ...call.params, ...result.data })
    return [said.charAt(0).toLowerCase() + said.slice(1)]
  })
}
