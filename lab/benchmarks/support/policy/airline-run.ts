import {
  isJson,
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
} from '../../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, pick } from '../../tools/data-file.ts'

export interface NamedCall {
  readonly name: string
  readonly params: JsonObject
}

/** Events of a recorded run, in order. */
export type RunStep =
  | { readonly type: 'user' | 'agent'; readonly text: string }
  | { readonly type: 'call'; readonly call: NamedCall; readonly output: string }

export interface AirlineRun {
  readonly solved: boolean
  readonly gold: readonly NamedCall[]
  readonly steps: readonly RunStep[]
}

const CALLS = ['tool_calls', 'calls']

/** A run as tau-bench records it; `undefined` for any other row. */
export function airlineRun(row: DataRow): AirlineRun | undefined {
  const trajectory = pick(row, ['traj', 'trajectory', 'messages'])
  const reward = pick(row, ['reward', 'score'])
  const gold = goldOf(row)
  if (!Array.isArray(trajectory) || typeof reward !== 'number' || gold === undefined)
    return undefined
  return { solved: reward >= 1, gold, steps: stepsOf(trajectory.filter(isRecord)) }
}

function goldOf(row: DataRow): readonly NamedCall[] | undefined {
  const info = pick(row, ['info'])
  const task = isRecord(info) ? pick(info, ['task']) : pick(row, ['task'])
  const sources = [task, row, info].filter(isRecord)
  const actions = sources
    .map((source) => pick(source, ['actions', 'gold_actions', 'gold']))
    .find((found) => Array.isArray(found))
  return Array.isArray(actions) ? actions.filter(isRecord).flatMap(namedCall) : undefined
}

/** Outputs follow their calls; ids repeat within a run, so calls and outputs are paired by their place. */
function stepsOf(messages: readonly DataRow[]): readonly RunStep[] {
  return messages.flatMap((message, index): readonly RunStep[] => {
    const text = textOf(message['content'])
    if (message['role'] === 'user') return [{ type: 'user', text }]
    if (message['role'] !== 'assistant') return []
    const calls = pick(message, CALLS)
    const [call] = Array.isArray(calls) ? calls.filter(isRecord).flatMap(namedCall) : []
    if (call === undefined) return [{ type: 'agent', text }]
    const answer = messages[index + 1]
    const output = answer?.['role'] === 'tool' ? textOf(answer['content']) : ''
    return [
      { type: 'agent', text },
      { type: 'call', call, output },
    ]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function namedCall(given: DataRow): readonly NamedCall[] {
  const inner = given['function']
  const call = isRecord(inner) ? inner : given
  const name = pick(call, ['name', 'tool', 'tool_name'])
  const params = parsed(pick(call, ['kwargs', 'arguments', 'args', 'params', 'input']) ?? {})
  return typeof name === 'string' && isJsonObject(params) ? [{ name, params }] : []
}

/** The value as JSON; `null` if it is not JSON. */
export function parsed(value: unknown): Json {
  if (typeof value !== 'string') return isJson(value) ? value : null
  try {
    const json: unknown = JSON.parse(value)
    return isJson(json) ? json : null
  } catch {
    return null
  }
}
