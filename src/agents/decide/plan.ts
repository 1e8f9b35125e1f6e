import { isJson, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { lastNeeded } from './references.ts'

/** One action of a plan. Its number in the plan, from 1, is what references name. */
export interface Action {
  readonly tool: string
  readonly args: JsonObject
}

/** What a model's completion holds. */
export type PlanReading =
  | { readonly type: 'plan'; readonly actions: readonly Action[] }
  /** The model says that it cannot, which is its right. */
  | { readonly type: 'declined'; readonly reason: string }
  | { readonly type: 'invalid'; readonly error: string }

const MAX_ACTIONS = 3

/**
 * Reads a plan out of a completion, with or without text around it: an array of one to three
 * actions as `plan.schema.json` says, or the same under `actions` (the form on the wire, since
 * strict response formats refuse an array at the root), or `{ "cannot": reason }`.
 */
export function readPlan(completion: string): PlanReading {
  const found = findJson(completion)
  if (found === undefined) return invalid('there is no JSON in the answer')
  const { actions: items, cannot } = isJsonObject(found) ? found : { actions: found }
  const hasActions = isJsonArray(items) && items.length > 0
  if (typeof cannot === 'string' && !hasActions) return { type: 'declined', reason: cannot }
  if (!isJsonArray(items)) return invalid('the answer is no array of actions')
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

const invalid = (error: string): PlanReading => ({ type: 'invalid', error })

function readAction(item: Json, number: number): Action | string {
  if (!isJsonObject(item)) return `action ${number} is no object`
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

/**
 * The JSON in a text: all of it, or from the first bracket of a kind to its last. The longer span
 * comes first, since an array of one action holds an object that would pass for the whole.
 */
function findJson(text: string): JsonObject | readonly Json[] | undefined {
  const spans = [between(text, '{', '}'), between(text, '[', ']')]
  const [longer = '', shorter = ''] = spans.sort((a, b) => b.length - a.length)
  return parse(text) ?? parse(longer) ?? parse(shorter)
}

function between(text: string, open: string, close: string): string {
  return text.slice(Math.max(0, text.indexOf(open)), text.lastIndexOf(close) + 1)
}

function parse(text: string): JsonObject | readonly Json[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) && (isJsonArray(value) || isJsonObject(value)) ? value : undefined
  } catch {
    return undefined
  }
}
