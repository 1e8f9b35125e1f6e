import { isRecord } from '../../../packages/echelon/src/core/value/json.ts'
import { type DataRow, pick } from '../tools/data-file.ts'

/** One side's statements about one service: a frame of the Schema-Guided Dialogue dataset. */
export interface Frame {
  readonly service: string
  readonly actions: readonly Action[]
  /** For the user: the intent and its known slots. */
  readonly state: State | undefined
  /** For the system: its call. */
  readonly call: Call | undefined
  /** The number of results of that call. */
  readonly results: number | undefined
}

export interface Action {
  readonly act: string
  readonly slot: string
  readonly values: readonly string[]
}

export interface State {
  /** `NONE` without an intent. */
  readonly intent: string
  /** For each slot the ways in which its value was said. */
  readonly slots: ReadonlyMap<string, readonly string[]>
}

export interface Call {
  readonly method: string
  readonly parameters: readonly string[]
}

export interface Turn {
  readonly byUser: boolean
  readonly frames: readonly Frame[]
  /** The text of the turn; empty if the set holds no text. */
  readonly text: string
}

/** The turns of a row; empty if it holds none under a known name. */
export function turnsOf(row: DataRow): readonly Turn[] {
  const turns = pick(row, ['turns', 'dialogue', 'messages', 'utterances'])
  return listOf(turns).map((turn) => {
    const speaker = textOf(pick(turn, ['speaker', 'role', 'from'])).toLowerCase()
    const frames = pick(turn, ['frames', 'frame'])
    // In a flattened set, the turn holds the fields of a frame.
    const found = Array.isArray(frames) || isRecord(frames) ? listOf(frames) : [turn]
    const text = textOf(pick(turn, ['utterance', 'text']))
    return { byUser: ['user', 'customer'].includes(speaker), frames: found.map(frameOf), text }
  })
}

function frameOf(frame: DataRow): Frame {
  const call = pick(frame, ['service_call', 'call', 'api_call'])
  const state = pick(frame, ['state', 'gold_state', 'dialogue_state'])
  return {
    service: textOf(pick(frame, ['service', 'domain'])),
    actions: listOf(pick(frame, ['actions', 'acts', 'dialogue_acts'])).map((action) => ({
      act: textOf(pick(action, ['act', 'type'])).toUpperCase(),
      slot: textOf(pick(action, ['slot'])),
      values: textsOf(pick(action, ['values', 'value'])),
    })),
    state: isRecord(state) ? stateOf(state) : undefined,
    call: isRecord(call) ? callOf(call) : undefined,
    results: countOf(pick(frame, ['service_results_count']), pick(frame, ['service_results'])),
  }
}

function countOf(count: unknown, results: unknown): number | undefined {
  if (typeof count === 'number') return count
  return Array.isArray(results) ? results.length : undefined
}

function stateOf(state: DataRow): State {
  const slots = pick(state, ['slot_values', 'slots', 'params'])
  const given = isRecord(slots) ? Object.entries(slots) : []
  return {
    intent: textOf(pick(state, ['active_intent', 'intent'])) || 'NONE',
    slots: new Map(given.map(([slot, values]) => [slot, textsOf(values)])),
  }
}

function callOf(call: DataRow): Call | undefined {
  const method = textOf(pick(call, ['method', 'name', 'intent']))
  const parameters = pick(call, ['parameters', 'params', 'arguments'])
  return { method, parameters: isRecord(parameters) ? Object.keys(parameters) : [] }
}

const listOf = (value: unknown): readonly DataRow[] =>
  (Array.isArray(value) ? value : [value]).filter(isRecord)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')
