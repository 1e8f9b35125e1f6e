import type { JsonPatchOperation } from '@ag-ui/core'
import fastJsonPatch, { type Operation } from 'fast-json-patch'
import { isJsonArray, isJsonObject } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import type { TurnPart } from '../runs/turn-part.ts'

// Types and not interfaces, so that they are JSON to the compiler.

/** A decision of the agent, as its state shows it: the gate's, a promotion, a plan. */
type ShownDecision = {
  readonly id: string
  readonly stage: string
  readonly data: Json
}

/** The state that an agent publishes while it works. It is JSON, so that it can be patched. */
export type AgentState = {
  readonly agent: string
  readonly run: string
  readonly status: 'working' | 'waiting' | 'finished' | 'canceled' | 'failed'
  /** The stage of the last decision. */
  readonly stage: string | null
  /** The actor of the current step, and its targets. */
  readonly step: { readonly actor: string; readonly effect: string } | null
  /** Models it may use, cheapest first. */
  readonly ladder: readonly string[]
  /** Models in use by role, as far as it switched. */
  readonly models: Readonly<Record<string, string>>
  /** The newest last. */
  readonly decisions: readonly ShownDecision[]
  /** The object that is being written, of an answer by a schema. */
  readonly output: Json
  /** Known at the end. */
  readonly spent: {
    readonly usd: number | null
    readonly input: number
    readonly output: number
  } | null
  readonly checked: string | null
  readonly confidence: number | null
  readonly escalated: boolean
}

const MOST_DECISIONS = 30
const MOST_MODELS = 30
/** Data of one decision, as JSON. */
const MOST_CHARACTERS = 4000

/** Folds the parts of a turn into its state. */
export class AgentStateFold {
  #state: AgentState

  constructor({ agent, run, ladder }: Pick<AgentState, 'agent' | 'run' | 'ladder'>) {
    this.#state = {
      agent,
      run,
      status: 'working',
      stage: null,
      step: null,
      ladder,
      models: {},
      decisions: [],
      output: null,
      spent: null,
      checked: null,
      confidence: null,
      escalated: false,
    }
  }

  get state(): AgentState {
    return this.#state
  }

  /** @returns the patch (RFC 6902) of the state below `at`, such as `/echelon`; empty if nothing changed */
  fold(part: TurnPart, at: string): JsonPatchOperation[] {
    const before = this.#state
    const after = folded(before, part)
    if (after === before) return []
    this.#state = after
    return fastJsonPatch.compare(before, after).flatMap((operation) => operationAt(at, operation))
  }
}

/** `compare` makes no other operations. */
function operationAt(at: string, operation: Operation): JsonPatchOperation[] {
  const path = at + operation.path
  switch (operation.op) {
    case 'add':
    case 'replace': {
      const { op, value } = operation
      return [{ op, path, value }]
    }
    case 'remove':
      return [{ op: 'remove', path }]
    case 'move':
    case 'copy':
    case 'test':
    case '_get':
      return []
  }
}

function folded(state: AgentState, part: TurnPart): AgentState {
  switch (part.type) {
    case 'step-start':
      if (part.depth > 0) return state
      return { ...state, step: { actor: part.actor, effect: part.effect } }
    case 'note': {
      const { id, stage, data } = part
      const decisions = [...state.decisions, { id, stage, data: shownData(data) }]
      return { ...state, stage, decisions: decisions.slice(-MOST_DECISIONS) }
    }
    case 'model': {
      const models = { ...state.models, [part.role]: part.model }
      return isSafeKey(part.role) && Object.keys(models).length <= MOST_MODELS
        ? { ...state, models }
        : state
    }
    case 'partial':
      return { ...state, output: shownData(part.partial) }
    case 'approval':
    case 'question':
    case 'client-turn':
      return { ...state, status: 'waiting' }
    case 'answered':
      return { ...state, status: 'working' }
    case 'end': {
      const {
        status,
        usage,
        cost,
        checked,
        confidence,
        escalated,
        output = state.output,
      } = part.end
      const spent = { usd: cost, ...usage }
      const known = { checked, confidence, escalated, output: shownData(output) }
      return { ...state, status, step: null, spent, ...known }
    }
    case 'start':
    case 'step-end':
    case 'text-start':
    case 'text-delta':
    case 'text-end':
    case 'text-drop':
    case 'reasoning':
    case 'tool-call':
    case 'tool-progress':
    case 'tool-result':
    case 'warning':
    case 'suspended':
      return state
  }
}

/** Clients refuse patches that name these, since they could change all objects of a program. */
const isSafeKey = (key: string): boolean =>
  key !== '__proto__' && key !== 'constructor' && key !== 'prototype'

/** Data of the agent as a state can hold it; what is too long is left out. */
function shownData(data: Json): Json {
  return JSON.stringify(data).length > MOST_CHARACTERS ? null : safe(data)
}

function safe(data: Json): Json {
  if (isJsonArray(data)) return data.map(safe)
  if (!isJsonObject(data)) return data
  const fields: Record<string, Json> = {}
  for (const [key, value] of Object.entries(data)) if (isSafeKey(key)) fields[key] = safe(value)
  return fields
}

/** The state of a client with that of the agent in it. A client's own fields stay. */
export const mergedState = (client: Json | undefined, state: JsonObject): JsonObject => ({
  ...(isJsonObject(client) && client),
  echelon: state,
})
