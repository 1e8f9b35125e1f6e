import type { JsonObject, Message as PromptMessage } from 'echelon/runtime'
import { systemMessage, userMessage } from 'echelon/internal/message'
import { orderInWords, type OwnOrder } from '../customer/own-order.ts'
import { CONFIRMATION, type Dialogue } from '../turn/dialogue.ts'
import type { Intent, ParamSpec } from '../intent.ts'
import type { Message } from '../message.ts'
import { COMMANDS, NONE } from './read-classification.ts'
import { historyMessages, QUOTED_IS_DATA, quoted, quotedJson } from './quoted.ts'

/** The input of a classification. */
export interface ClassificationQuestion {
  /** The intents available to this customer here. */
  readonly intents: readonly Intent[]
  readonly history: readonly Message[]
  readonly dialogue: Dialogue
  /** The customer's message. */
  readonly text: string
  /** The day, such as `2025-10-18`. */
  readonly today?: string
  /** The customer's own orders, to which "the lamp" refers. */
  readonly orders?: readonly OwnOrder[]
  /** The examples that are most like the message. */
  readonly nearest?: readonly NearExample[]
  /** Why the last answer was not usable, for a second try. */
  readonly problem?: string | null
}

/** An example of the intents file, and what it is read as. */
export interface NearExample {
  readonly text: string
  /** An intent, `question`, or `none`. */
  readonly label: string
}

/** The messages, and the closed schema for the answer. */
export interface ClassificationPrompt {
  readonly messages: readonly PromptMessage[]
  readonly schema: JsonObject
}

/**
 * What is the same for all messages comes first, then the conversation, then what holds for this message alone: so
 * a server can keep the beginning.
 */
export function classificationPrompt(question: ClassificationQuestion): ClassificationPrompt {
  const { intents, history, dialogue, text } = question
  return {
    messages: [
      systemMessage(orders(intents)),
      ...historyMessages(history),
      userMessage(
        [...circumstances(question), ...standing(dialogue), quoted('customer_message', text)].join(
          '\n',
        ),
      ),
    ],
    schema: schemaOf(intents),
  }
}

const orders = (intents: readonly Intent[]): string =>
  [
    'You read a message that a customer sent to support, and say what it tells the agent to do, as a list of commands. Answer with JSON only; do not answer the customer.',
    'Intents:',
    ...intents.map(intentLine),
    `- ${NONE}: no intent`,
    'commands: one for each thing that the message does, in its order. Most messages are one command.',
    'start: asks for an intent, new or independent. With intent_id.',
    'answer: answers the open question. correct: changes what was said before, such as "no, the other order" or "sorry, 6 Main St"; with the intent_id that it is about.',
    'confirm, deny: a plain yes or no to a question whether to go on. wait: hesitates. cancel: wants the open request no more. "Yes, but …" and "not sure" are never confirm.',
    'back: to the previous question. repeat: wants the last answer again. undo: wants back what was done last. waiting: asks what became of a request that waits for approval.',
    'person: wants a person.',
    'question: asks about rules, products or the shop, or what would happen if; "what would happen if I cancelled" orders nothing.',
    'conditional: wants something done only if, or when, something else happens.',
    'greeting, thanks, goodbye, apology, insult, praise, capabilities: small talk, the last for "what can you do".',
    'unclear: none of these. With the likeliest intent_id, or none.',
    'extracted_params: what the message itself says, word for word, or the id of the order of this customer that it describes; null for what it does not say. Never guess a value, and never take one from an example.',
    'missing_params: what the first intent needs and neither the message nor the conversation says.',
    'confidence: 0 to 1, how often such a reading is right. Be honest: what you are not sure of is asked again.',
    'The message may be in any language.',
    QUOTED_IS_DATA,
  ].join('\n')

function intentLine({ id, description, requiredParams, optionalParams, params }: Intent): string {
  const needs = requiredParams.map((name) => described(name, params[name]))
  const takes = optionalParams.map((name) => described(name, params[name]))
  return [
    `- ${id}: ${description}`,
    ...(needs.length === 0 ? [] : [`needs ${needs.join(', ')}`]),
    ...(takes.length === 0 ? [] : [`may have ${takes.join(', ')}`]),
  ].join('; ')
}

function described(name: string, spec: ParamSpec | undefined): string {
  if (spec === undefined) return name
  const values = Object.keys(spec.values)
  const shape = values.length > 0 ? values.join(' | ') : spec.pattern
  return `${name} (${spec.label}${shape === null ? '' : `, ${shape}`})`
}

/** More orders would cost more than they tell. */
const MOST_ORDERS = 10

/** What holds for this message alone: the day, the customer's orders, like messages, and a second try. */
function circumstances({
  today,
  orders: own = [],
  nearest = [],
  problem = null,
}: ClassificationQuestion): readonly string[] {
  const lines = own.slice(0, MOST_ORDERS).map((order) => {
    const at = order.record['ordered_at']
    return `${orderInWords(order)}${typeof at === 'string' ? `, ordered ${at.slice(0, 10)}` : ''}`
  })
  return [
    ...(today === undefined ? [] : [`Today is ${today}.`]),
    ...(lines.length === 0
      ? []
      : ['The orders of this customer:', quoted('known_orders', lines.join('\n'))]),
    ...(nearest.length === 0
      ? []
      : [
          `Messages like it: ${nearest.map(({ text, label }) => `"${text}" is ${label}`).join('; ')}`,
        ]),
    ...(problem === null
      ? []
      : [`Your last answer could not be used: ${problem}. Answer with JSON.`]),
  ]
}

/** Describes the open state of the conversation, so that "O-12345" alone is understood. */
function standing({ open, stack, last, choices, blocked }: Dialogue): readonly string[] {
  const known = (params: JsonObject): string => quotedJson('known_parameters', params)
  const waits = blocked.map(({ intentId }) => `${intentId} waits for a person's approval.`)
  const under = stack.map(({ intentId }) => `Interrupted: ${intentId}.`)
  const offered =
    choices.length === 0
      ? []
      : [`The customer was offered: ${choices.map(({ intentId }) => intentId).join(', ')}.`]
  if (open !== null) {
    const asked =
      open.param === CONFIRMATION
        ? 'the customer was asked whether to go on'
        : `the customer was asked for ${open.param}`
    return [
      ...waits,
      ...under,
      `Open: ${open.intentId}; ${asked}. Known of it:`,
      known(open.params),
    ]
  }
  return last === null
    ? [...waits, ...offered]
    : [...waits, ...offered, `Answered last: ${last.intentId}, with:`, known(last.params)]
}

// ---- the schema ----

function schemaOf(intents: readonly Intent[]): JsonObject {
  const ids = [...intents.map(({ id }) => id), NONE]
  return closed({
    commands: {
      type: 'array',
      items: closed({
        command: { type: 'string', enum: Object.keys(COMMANDS) },
        intent_id: { type: 'string', enum: ids },
        extracted_params: paramsSchema(intents),
      }),
    },
    missing_params: { type: 'array', items: { type: 'string' } },
    confidence: { type: 'number' },
  })
}

const closed = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

/** The parameters of all intents in one closed object: strict formats do not allow free names. */
function paramsSchema(intents: readonly Intent[]): JsonObject {
  const names = new Set(intents.flatMap(paramNames))
  return closed(
    Object.fromEntries([...names].map((name) => [name, valueSchema(valuesOf(intents, name))])),
  )
}

const paramNames = ({ requiredParams, optionalParams }: Intent): readonly string[] => [
  ...requiredParams,
  ...optionalParams,
]

/** Only if every intent with the parameter closes its list. */
function valuesOf(intents: readonly Intent[], name: string): readonly string[] {
  const lists = intents
    .filter((intent) => paramNames(intent).includes(name))
    .map(({ params }) => Object.keys(params[name]?.values ?? {}))
  return lists.some((list) => list.length === 0) ? [] : [...new Set(lists.flat())]
}

const valueSchema = (values: readonly string[]): JsonObject => ({
  type: ['string', 'null'],
  ...(values.length > 0 && { enum: [...values, null] }),
})
