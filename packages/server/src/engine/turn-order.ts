import {
  EchelonError,
  isJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunOrder,
} from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { ServedAgent, TurnContext, TurnInput } from '../agents/served-agent.ts'

/** A turn as another process performs it. */
export interface OrderedTurn {
  /** The name under which the agent is served. */
  readonly agent: string
  readonly input: TurnInput
  readonly context: Pick<TurnContext, 'caller' | 'session' | 'traceparent' | 'tracestate'>
  /** The money that was taken for it. */
  readonly held: { readonly maxCost: number | null; readonly at: number }
}

/** The order of a turn. */
export function orderOf(
  { name }: Pick<ServedAgent, 'name'>,
  input: TurnInput,
  { context, at }: { readonly context: TurnContext; readonly at: number },
): RunOrder {
  const { runId: run, caller, session, traceparent, tracestate, maxCost = null } = context
  const turn: OrderedTurn = {
    agent: name,
    input,
    context: { caller, ...(session !== undefined && { session }), traceparent, tracestate },
    held: { maxCost, at },
  }
  return {
    run,
    // Undefined properties are left out.
    task: asJson(turn),
    principal: caller,
    ...(session !== undefined && { session }),
  }
}

function asJson(value: unknown): Json {
  const json: unknown = JSON.parse(JSON.stringify(value))
  return isJson(json) ? json : null
}

/**
 * Reads the task of an order.
 * @throws EchelonError INVALID_INPUT for one of another version
 */
export function readTurn(task: Json): OrderedTurn {
  const { agent, input, context, held } = objectIn(task)
  const { caller, session, traceparent, tracestate } = objectIn(context)
  const { maxCost, at } = objectIn(held)
  if (typeof agent !== 'string' || typeof caller !== 'string' || !isInput(input)) {
    throw new EchelonError('INVALID_INPUT', 'the order of the run was written by another version')
  }
  return {
    agent,
    input,
    context: {
      caller,
      ...(typeof session === 'string' && { session }),
      ...(typeof traceparent === 'string' && { traceparent }),
      ...(typeof tracestate === 'string' && { tracestate }),
    },
    held: {
      maxCost: typeof maxCost === 'number' ? maxCost : null,
      at: typeof at === 'number' ? at : 0,
    },
  }
}

const objectIn = (value: Json | undefined): JsonObject =>
  value !== undefined && isJsonObject(value) ? value : {}

/** Only servers write orders, so the rest of the input is as they wrote it. */
const isInput = (value: unknown): value is TurnInput =>
  isJson(value) && isJsonObject(value) && typeof value['text'] === 'string'

/** The user as whom a worker performs the turn. Their limits were applied before it was ordered. */
export const principalOf = ({ context }: OrderedTurn): Principal => ({ name: context.caller })
