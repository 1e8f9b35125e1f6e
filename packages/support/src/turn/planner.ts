import type { Json, JsonObject } from 'echelon/runtime'
import { CONFIRMATION } from './dialogue.ts'
import type { Intent } from '../intent.ts'
import type { Plan, PlanStep } from '../plan.ts'
import { fill } from '../wording/fill.ts'

/** What is known of a task when it is planned. */
interface Known {
  readonly intent: Intent
  /** Only what is grounded: each parameter occurs in what was said. */
  readonly params: JsonObject
  readonly isConfirmed: boolean
}

/** What its tool is called with. */
export const paramsOf = ({ requiredParams, optionalParams }: Intent): readonly string[] => [
  ...requiredParams,
  ...optionalParams,
]

/**
 * Parameters that have to be asked for, in the order of the intents' file: those that are required and not there,
 * and those that are `null`, of which something was said that is no value.
 */
export const missingParams = (intent: Intent, params: JsonObject): readonly string[] => [
  ...intent.requiredParams.filter((name) => isAbsent(params[name])),
  ...intent.optionalParams.filter((name) => params[name] === null),
]

/**
 * A question for the first parameter that is missing; else what is said, the call, and what is said of
 * its result. An intent that cannot be taken back is confirmed first.
 */
export function planFor({ intent, params, isConfirmed }: Known): Plan {
  const intentId = intent.id
  const [missing] = missingParams(intent, params)
  if (missing !== undefined) return questionPlan(intent, missing, params)
  const confirm: readonly PlanStep[] =
    intent.confirm && !isConfirmed
      ? [{ param: CONFIRMATION, prompt: fill(intent.wording.confirm, params) }]
      : []
  return {
    intentId,
    steps: [
      ...confirm,
      { when: 'pre', message: fill(intent.wording.pre, params) },
      { toolName: intent.tool, params: ofIntent(intent, params) },
      { when: 'post', message: intent.wording.post },
    ],
    reasoning: `${intent.id} has all that ${intent.tool} needs`,
  }
}

/** A question for what nobody has said. */
export function questionPlan(intent: Intent, param: string, params: JsonObject): Plan {
  const prompt = intent.params[param]?.ask ?? `What is the ${param.replaceAll('_', ' ')}?`
  return {
    intentId: intent.id,
    steps: [{ param, prompt: fill(prompt, params) }],
    reasoning: `${intent.id} needs ${param}, and nobody has said it`,
  }
}

/** What the intent has no word for does not reach its tool. */
function ofIntent(intent: Intent, params: JsonObject): JsonObject {
  return Object.fromEntries(
    paramsOf(intent).flatMap((name) => {
      const value = params[name]
      return value === undefined || isAbsent(value) ? [] : [[name, value]]
    }),
  )
}

export const isAbsent = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''
