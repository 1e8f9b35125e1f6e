import { MOST_FORM_CHARACTERS } from '../../../core/model/answer-length.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import { jsonIn } from '../../../core/model/json-in-text.ts'
import { lastNeeded } from './references.ts'

/** One action of a plan. Its number in the plan, from 1, is what references name. */
export interface Action {
  readonly tool: string
  readonly args: JsonObject
}

/** An action as shown and logged. */
export interface ShownAction extends Action {
  readonly kind: 'action'
  readonly metadata?: {
    /** In its plan, from 1: what `$1.series` refers to. */
    readonly number: number
  }
}

/** Prompts show a plan without numbers, since models may not write them. */
export const shownActions = (actions: readonly Action[]): readonly (ShownAction & JsonObject)[] =>
  actions.map(({ tool, args }, index) => ({
    kind: 'action',
    tool,
    args,
    metadata: { number: index + 1 },
  }))

/** The content of a model's completion. */
export type PlanReading =
  | { readonly type: 'plan'; readonly actions: readonly Action[] }
  /** A direct answer: words, or JSON where the task asks for it. */
  | { readonly type: 'answered'; readonly value: Json }
  /** The model may decline. */
  | { readonly type: 'declined'; readonly reason: string }
  | { readonly type: 'invalid'; readonly error: string }

const MAX_ACTIONS = 3

/**
 * Reads a plan from a completion, with or without text around it: an array of one to three actions as in
 * `plan.schema.json`, or the same under `actions` (the wire form, since strict response formats refuse an array at
 * the root), or `{ "cannot": reason }`, or `{ "answer": text }`. The last of several counts, since models draft
 * before they answer.
 * @param anyAnswer whether a direct answer may be JSON, and not only text
 */
export function readPlan(completion: string, anyAnswer = false): PlanReading {
  const readings = jsonIn(completion.slice(0, MOST_FORM_CHARACTERS)).map((found) =>
    readValue(found, anyAnswer),
  )
  return (
    readings.findLast(({ type }) => type !== 'invalid') ??
    readings[0] ??
    invalid('there is no JSON in the answer')
  )
}

function readValue(found: JsonObject | readonly Json[], anyAnswer: boolean): PlanReading {
  const { actions: items, cannot, answer } = isJsonObject(found) ? found : { actions: found }
  const hasActions = isJsonArray(items) && items.length > 0
  if (isGiven(answer, anyAnswer) && !hasActions) {
    return { type: 'answered', value: typeof answer === 'string' ? answer.trim() : answer }
  }
  if (typeof cannot === 'string' && !hasActions) return { type: 'declined', reason: cannot }
  if (!isJsonArray(items)) return invalid('the answer is not an array of actions')
  if (items.length < 1 || items.length > MAX_ACTIONS) {
    return invalid(`a plan has 1 to ${MAX_ACTIONS} actions, not ${items.length}`)
  }
  const actions: Action[] = []
  for (const [index, item] of items.entries()) {
    const action = readAction(item, index + 1)
    if (typeof action === 'string') return invalid(action)
    actions.push(action)
  }
  return { type: 'plan', actions }
}

/** On the wire an answer that is not given is null. */
const isGiven = (answer: Json | undefined, anyAnswer: boolean): answer is Json =>
  typeof answer === 'string'
    ? answer.trim() !== ''
    : anyAnswer && answer !== undefined && answer !== null

const invalid = (error: string): PlanReading => ({ type: 'invalid', error })

function readAction(item: Json, number: number): Action | string {
  if (!isJsonObject(item)) return `action ${number} is not an object`
  const { tool, args, ...rest } = item
  if (typeof tool !== 'string') return `action ${number} has no tool`
  if (!isJsonObject(args)) return `action ${number} has no args`
  const more = Object.keys(rest)[0]
  if (more !== undefined)
    return `action ${number} has a property ${more} that does not belong there`
  const needs = lastNeeded(args)
  if (needs >= number)
    return `action ${number} uses the result of action ${needs}, which is not before it`
  return { tool, args: withoutNulls(args) }
}

/** On the wire an optional argument is nullable; here it is absent. */
function withoutNulls(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
}
