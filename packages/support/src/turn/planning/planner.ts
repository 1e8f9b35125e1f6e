import type { Json, JsonObject } from 'echelon/runtime'
import { ORDER } from '../../customer/resolve-order.ts'
import { CONFIRMATION } from '../dialogue.ts'
import type { Intent } from '../../intent.ts'
import type { Plan, PlanStep, ToolCall } from '../../plan.ts'
import { fill } from '../../wording/fill.ts'
import { restOfAddress } from '../../wording/sentences.ts'

/** The input of planning. */
interface Known {
  readonly intent: Intent
  /** Only grounded values: each parameter occurs in what was said. */
  readonly params: JsonObject
  readonly isConfirmed: boolean
  /** What is known of the customer's orders. */
  readonly shop?: ShopView
}

/** What questions and confirmations may say of the customer's orders. */
export interface ShopView {
  /** Values of the order that the parameters name. */
  readonly values: JsonObject
  /** Words the question for an order, from the one in the intents file. */
  readonly askForOrder: (ask: string) => string
  /** The street of an address whose town is to be asked for. */
  readonly street?: string
}

/** The parameters of an intent's tool. */
export const paramsOf = ({ requiredParams, optionalParams }: Intent): readonly string[] => [
  ...requiredParams,
  ...optionalParams,
]

/**
 * Parameters to ask for, in the order of the intents file: required ones that are absent, and those that are
 * `null`, for which only an invalid value was stated.
 */
export const missingParams = (intent: Intent, params: JsonObject): readonly string[] => [
  ...intent.requiredParams.filter((name) => isAbsent(params[name])),
  ...intent.optionalParams.filter((name) => params[name] === null),
]

/**
 * A question for the first missing parameter; otherwise the announcement, the call, and the answer. An
 * irreversible intent is confirmed first.
 */
export function planFor({ intent, params, isConfirmed, shop }: Known): Plan {
  const intentId = intent.id
  const [missing] = missingParams(intent, params)
  if (missing !== undefined) return questionPlan(intent, missing, params, shop)
  const confirm: readonly PlanStep[] =
    intent.confirm && !isConfirmed
      ? [
          {
            param: CONFIRMATION,
            prompt: fill(intent.wording.confirm, { ...shop?.values, ...params }),
          },
        ]
      : []
  return {
    intentId,
    steps: [
      ...confirm,
      { when: 'pre', message: fill(intent.wording.pre, { ...shop?.values, ...params }) },
      callOf(intent, params),
      { when: 'post', message: intent.wording.post },
    ],
    reasoning: `${intent.id} has all that ${intent.tool} needs`,
  }
}

/** A plan that asks for a missing parameter. */
export function questionPlan(
  intent: Intent,
  param: string,
  params: JsonObject,
  shop?: ShopView,
): Plan {
  const given = intent.params[param]?.ask ?? `What is the ${param.replaceAll('_', ' ')}?`
  const ask = fill(given, { ...shop?.values, ...params })
  const isPlace = shop?.street !== undefined && intent.params[param]?.wholeAnswer === true
  const asked = isPlace ? restOfAddress(shop.street) : ask
  return {
    intentId: intent.id,
    steps: [
      { param, prompt: param === ORDER && shop !== undefined ? shop.askForOrder(ask) : asked },
    ],
    reasoning: `${intent.id} needs ${param}, and nobody has said it`,
  }
}

/** The call of an intent's tool, without parameters that are absent or that the intent does not know. */
export function callOf(intent: Intent, params: JsonObject): ToolCall {
  const known = paramsOf(intent).flatMap((name) => {
    const value = params[name]
    return value === undefined || isAbsent(value) ? [] : [[name, value] as const]
  })
  return { toolName: intent.tool, params: Object.fromEntries(known) }
}

export const isAbsent = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === ''
