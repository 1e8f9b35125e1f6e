import type { JsonObject } from 'echelon/runtime'
import type { Intent } from '../intent.ts'
import type { SupportSettings } from './support-settings.ts'
import type { ActiveIntent } from './support-state.ts'
import { fill } from '../wording/fill.ts'

/** Fills the intent's template with the result: the one for what the question asks, if there is one. */
export function templateAnswer({ registry }: SupportSettings, task: ActiveIntent): string {
  const data = task.done.at(-1)?.result.data ?? {}
  const intent = registry.find(task.intentId)
  if (intent === undefined) return ''
  const { post, postByStatus } = intent.wording
  const status = statusIn(data)
  const own = status === null ? undefined : postByStatus[status]
  return fill(answerToAsked(intent, task, data) ?? own ?? post, { ...task.params, ...data })
}

const statusIn = ({ status }: JsonObject): string | null =>
  typeof status === 'string' ? status : null

/** The template for the first thing asked that has one in this state. */
function answerToAsked(
  { wording }: Intent,
  { asks = [] }: ActiveIntent,
  data: JsonObject,
): string | undefined {
  const status = statusIn(data) ?? ''
  // A part that was given back leaves the state as it was.
  const isPartly = status !== 'refunded' && data['refund_amount'] !== undefined
  const found = asks.map((facet) => {
    const byStatus = wording.postByAsked?.[facet]
    const partly = facet === 'refund' && isPartly ? byStatus?.['partly_refunded'] : undefined
    return partly ?? byStatus?.[status] ?? byStatus?.['other']
  })
  return found.find((template) => template !== undefined)
}
