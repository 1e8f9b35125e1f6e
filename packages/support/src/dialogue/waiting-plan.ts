import type { JsonObject } from 'echelon/runtime'
import { dialogueIn } from '../turn/kept-history.ts'
import type { Message } from '../message.ts'
import { isToolCall } from '../plan.ts'
import { turnId } from '../turn-id.ts'
import { aboutOf, type ShopRecords, type WaitingAbout } from './waiting-about.ts'

/** A plan that waits for a person's approval. */
export interface WaitingPlan {
  readonly planId: string
  /** What would be done. */
  readonly toolName: string
  readonly params: JsonObject
  /** What that means for the customer, for the person who decides. */
  readonly about: WaitingAbout
  /** ISO 8601, UTC; `null` if it is not known. */
  readonly since: string | null
  /** The run of the turn in which it was asked for; its `policy_check` names the rule. */
  readonly runId: string
}

/** The plans of a conversation that wait, the one that has waited longest first. */
export async function waitingIn(
  history: readonly Message[],
  sessionId: string,
  shop: ShopRecords,
): Promise<readonly WaitingPlan[]> {
  const given = history.findLast(({ role }) => role === 'user')?.metadata['customerId']
  const customer = typeof given === 'string' ? given : null
  const plans = dialogueIn(history).blocked.map(async (open): Promise<readonly WaitingPlan[]> => {
    const { planId, steps } = open.execution
    const waits = steps.find(({ status }) => status === 'blocked')
    if (waits === undefined || !isToolCall(waits.step)) return []
    const { toolName, params } = waits.step
    const runId = turnId(sessionId, interactionOf(planId, history))
    const about = await aboutOf(open, customer, shop)
    return [{ planId, toolName, params, about, since: waits.startedAt ?? null, runId }]
  })
  return (await Promise.all(plans)).flat()
}

/** The message whose answer first said that the plan waits; its turn asked the rules. */
function interactionOf(planId: string, history: readonly Message[]): string {
  const said = history.find(
    (message) =>
      message.role === 'agent' &&
      dialogueIn([message]).blocked.some(({ execution }) => execution.planId === planId),
  )
  const id = said?.metadata['id']
  // A plan is named after the message that it began with.
  return typeof id === 'string' ? id.replace(/:agent$/, '') : planId.replace(/\.\d+$/, '')
}
