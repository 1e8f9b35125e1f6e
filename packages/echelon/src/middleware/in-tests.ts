import type { Middleware } from '../core/extension/defined-middleware.ts'
import type {
  MiddlewareRun,
  ModelCall,
  ModelOutcome,
  ToolRequest,
} from '../core/extension/middleware.ts'
import type { ToolOutcome } from '../core/tool/tool.ts'
import { compose } from './compose.ts'

type Model = (call: ModelCall) => Promise<ModelOutcome>
type Doing = (call: ToolRequest) => Promise<ToolOutcome>

/** Sends model calls through middleware around `model`; the first middleware is outermost. */
export function modelThrough(
  middlewares: readonly Middleware[],
  model: Model,
): (call: ModelCall, run: MiddlewareRun) => Promise<ModelOutcome> {
  const { generate } = compose(middlewares)
  return (call, run) => (generate === undefined ? model(call) : generate(call, model, run))
}

/** Sends tool calls through middleware. */
export function toolThrough(
  middlewares: readonly Middleware[],
  end: Doing,
): (call: ToolRequest, run: MiddlewareRun) => Promise<ToolOutcome> {
  const { tool } = compose(middlewares)
  return (call, run) => (tool === undefined ? end(call) : tool(call, end, run))
}

/** A fake model that returns the outcomes in order, repeats the last one, and records its calls. */
export function modelOf(
  ...outcomes: readonly ModelOutcome[]
): Model & { readonly asked: ModelCall[] } {
  const asked: ModelCall[] = []
  const answer = async (call: ModelCall): Promise<ModelOutcome> => {
    asked.push(call)
    const outcome = outcomes[Math.min(asked.length, outcomes.length) - 1]
    if (outcome === undefined) throw new RangeError('give the model an outcome')
    return outcome
  }
  return Object.assign(answer, { asked })
}
