import type { Json, JsonObject } from 'echelon/client'
import { numberOf, textOf } from './fields.ts'

/** The title of a note of the support agent or the assistant, from its stage and data. */
export function stageTitle(stage: string, data: JsonObject): string {
  return KNOWN[stage]?.(data) ?? stage.replaceAll(/[-_]/g, ' ')
}

const KNOWN: Readonly<Record<string, (data: JsonObject) => string>> = {
  received: () => 'Received the message',
  history_loaded: ({ count }) =>
    count === 0 ? 'The conversation begins' : 'Read the conversation so far',
  intents_eligible: ({ intents }) => `Looked at what may be asked for here: ${listed(intents)}`,
  intent_classified(data) {
    const intent = textOf(data, 'intent_id')
    const confidence = numberOf(data, 'confidence')
    if (intent === undefined) return 'Did not understand the request'
    const sure = confidence === undefined ? '' : `, ${Math.round(100 * confidence)} % sure`
    return `Understood what is wanted: ${words(intent)}${sure}`
  },
  plan_created: ({ steps }) => `Made a plan: ${listed(steps, ', then ')}`,
  plan_type: ({ type }) => `The next step of the plan: ${words(type)}`,
  policy_check({ allowed, violations }) {
    if (allowed === true) return 'The rules allow the step'
    return `The rules do not allow the step: ${listed(violations)}`
  },
  tool_execute({ tool_name: tool, success }) {
    return success === true ? `Carried out ${words(tool)}` : `Could not carry out ${words(tool)}`
  },
  response_generated: () => 'Worded the answer',
  memory_updated: () => 'Stored the conversation',
  planned: ({ approach, altitude }) =>
    `Planned how to answer: ${words(approach)}, ${words(altitude)}`,
  'plan-kept': ({ approach }) => `Kept the plan of before: ${words(approach)}`,
  drift: ({ led_to: led }) => `The draft drifted from the intent and was ${words(led)}`,
  withheld: () => 'The draft was withheld',
  'turn-ended': ({ condition }) =>
    `The turn ended by a condition of the intent: ${words(condition)}`,
}

const words = (value: Json | undefined): string =>
  typeof value === 'string' ? value.replaceAll('_', ' ') : JSON.stringify(value ?? 'unknown')

function listed(values: Json | undefined, by = ', '): string {
  if (!Array.isArray(values) || values.length === 0) return 'nothing'
  return values.map((value: Json) => words(value)).join(by)
}
