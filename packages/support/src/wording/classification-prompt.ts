import { MOST_FORM_CHARACTERS } from 'echelon/internal/model'
import { isJson, isJsonObject, isRecord } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { Message as PromptMessage } from 'echelon/runtime'
import { systemMessage, userMessage } from 'echelon/internal/message'
import { CONFIRMATION, type Dialogue } from '../turn/dialogue.ts'
import type { Intent, ParamSpec } from '../intent.ts'
import type { Message } from '../message.ts'
import { NOT_UNDERSTOOD, type Understanding, type Wish } from '../understand/understanding.ts'
import { historyMessages, QUOTED_IS_DATA, quoted, quotedJson } from './quoted.ts'

/** The input of a classification. */
export interface ClassificationQuestion {
  /** The intents available to this customer here. */
  readonly intents: readonly Intent[]
  readonly history: readonly Message[]
  readonly dialogue: Dialogue
  /** The customer's message. */
  readonly text: string
}

/** The messages, and the closed schema for the answer. */
export interface ClassificationPrompt {
  readonly messages: readonly PromptMessage[]
  readonly schema: JsonObject
}

/** The model's answer if no intent fits. */
const NONE = 'none'

export function classificationPrompt(question: ClassificationQuestion): ClassificationPrompt {
  const { intents, history, dialogue, text } = question
  return {
    messages: [
      systemMessage(orders(intents)),
      ...historyMessages(history),
      userMessage([...standing(dialogue), quoted('customer_message', text)].join('\n')),
    ],
    schema: schemaOf(intents),
  }
}

const orders = (intents: readonly Intent[]): string =>
  [
    'You read a message that a customer sent to support, and say what it asks for. Answer with JSON only; do not answer the customer.',
    'Intents:',
    ...intents.map(intentLine),
    `- ${NONE}: nothing of these, or it is not clear`,
    'intent_id: what the message asks for; of several the one said first, and the others in further_intents.',
    'extracted_params: what the message itself says, word for word; null for what it does not say. Never guess a value, and never take one from an example.',
    'missing_params: what the intent needs and neither the message nor the conversation says.',
    'act: wish (asks for something), answer (answers the open question), correct (changes what was said before, such as "no, the other order"), yes or no (to a question whether to go on), drop (wants it no more), unclear.',
    'For answer and correct intent_id is the intent that it is about, and extracted_params what is new.',
    'confidence: 0 to 1, how often such a reading is right. Be honest: what you are not sure of is asked again.',
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

/** Describes the open state of the conversation, so that "O-12345" alone is understood. */
function standing({ open, last }: Dialogue): readonly string[] {
  const known = (params: JsonObject): string => quotedJson('known_parameters', params)
  if (open !== null) {
    const asked =
      open.param === CONFIRMATION
        ? 'the customer was asked whether to go on'
        : `the customer was asked for ${open.param}`
    return [`Open: ${open.intentId}; ${asked}. Known of it:`, known(open.params)]
  }
  return last === null ? [] : [`Answered last: ${last.intentId}, with:`, known(last.params)]
}

// ---- the schema ----

function schemaOf(intents: readonly Intent[]): JsonObject {
  const ids = [...intents.map(({ id }) => id), NONE]
  const params = paramsSchema(intents)
  return closed({
    intent_id: { type: 'string', enum: ids },
    extracted_params: params,
    missing_params: { type: 'array', items: { type: 'string' } },
    confidence: { type: 'number' },
    act: { type: 'string', enum: [...ACTS] },
    further_intents: {
      type: 'array',
      items: closed({ intent_id: { type: 'string', enum: ids }, extracted_params: params }),
    },
  })
}

const ACTS = ['wish', 'answer', 'correct', 'yes', 'no', 'drop', 'unclear'] as const

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

// ---- the answer ----

/** Limit of one value; a longer one was made up rather than extracted. */
const LONGEST_VALUE = 500

/** Limit of one message; an answer with more is rejected. */
const MOST_WISHES = 5

/**
 * Parses a model's answer as an understanding; returns a sentence with the error if it is invalid. Values that are
 * not text, or of parameters that the intent does not have, are dropped.
 */
export function readClassification(
  content: string,
  intents: readonly Intent[],
): Understanding | string {
  const answer = parsed(content)
  if (!isRecord(answer)) return 'the answer is no JSON object'
  const { act: said, confidence } = answer
  // Without `act`, the design's four fields are a wish: `act` is our addition.
  const act = said === undefined ? 'wish' : ACTS.find((one) => one === said)
  if (act === undefined) return `act is ${inWords(said)}, and must be one of ${ACTS.join(', ')}`
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
    return `confidence is ${inWords(confidence)}, and must be a number from 0 to 1`
  }
  const further = Array.isArray(answer['further_intents']) ? answer['further_intents'] : []
  const wishes: Wish[] = []
  for (const one of [answer, ...further.slice(0, MOST_WISHES - 1)]) {
    const wish = wishOf(one, confidence, intents)
    if (typeof wish === 'string') return wish
    if (wish !== null) wishes.push(wish)
  }
  return understandingOf(act, wishes, confidence)
}

function understandingOf(
  act: Understanding['act'],
  wishes: readonly Wish[],
  confidence: number,
): Understanding {
  const [first] = wishes
  switch (act) {
    case 'unclear':
      return NOT_UNDERSTOOD
    case 'wish':
      if (first === undefined) return NOT_UNDERSTOOD
      return { act, wishes, confidence, reasoning: `the model read ${namesOf(wishes)}` }
    case 'answer':
    case 'correct':
      // The intent is missing, and the rest cannot be placed without it.
      if (first === undefined) return NOT_UNDERSTOOD
      return { act, wishes: [first], confidence, reasoning: `the model read: ${act}` }
    case 'yes':
    case 'no':
    case 'drop':
      return { act, wishes: [], confidence, reasoning: `the model read: ${act}` }
  }
}

const namesOf = (wishes: readonly Wish[]): string =>
  wishes.map(({ intentId }) => intentId).join(', ')

/** `null` if it requests nothing. */
function wishOf(
  given: unknown,
  confidence: number,
  intents: readonly Intent[],
): Wish | string | null {
  if (!isRecord(given)) return 'further_intents holds what is no object'
  const { intent_id: id, extracted_params: params } = given
  if (id === NONE || id === null) return null
  const intent = intents.find((one) => one.id === id)
  if (intent === undefined) return `there is no intent ${inWords(id)}`
  if (!isJson(params) || !isJsonObject(params)) return 'extracted_params is no object'
  return { intentId: intent.id, params: paramsOf(params, intent), confidence }
}

function paramsOf(given: JsonObject, intent: Intent): JsonObject {
  const names = paramNames(intent)
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): (readonly [string, string])[] => {
      const text = textOf(value)
      return text === null || !names.includes(name) ? [] : [[name, text]]
    }),
  )
}

/** A model without a schema may return a number as one. */
function textOf(value: Json): string | null {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return null
  const trimmed = text.trim()
  return trimmed === '' || trimmed.length > LONGEST_VALUE ? null : trimmed
}

function parsed(content: string): unknown {
  if (content.length > MOST_FORM_CHARACTERS) return undefined
  try {
    return JSON.parse(unfenced(content))
  } catch {
    return undefined
  }
}

/**
 * Some models put JSON into a Markdown fence, whatever they are told. Not a regular expression: one with three
 * runs of white space takes cubic time.
 */
function unfenced(content: string): string {
  const lines = content.trim().split('\n')
  const opening = lines[0]?.trimEnd()
  const isFenced = opening === '```' || opening === '```json'
  return isFenced && lines.length > 1 && lines.at(-1)?.trim() === '```'
    ? lines.slice(1, -1).join('\n')
    : content
}

const inWords = (value: unknown): string =>
  value === undefined ? 'absent' : JSON.stringify(value).slice(0, 60)
