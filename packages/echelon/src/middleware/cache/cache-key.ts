import { calledModel } from '../../core/model/called-model.ts'
import { canonicalJson } from '../../core/value/canonical-json.ts'
import type { Json } from '../../core/value/json.ts'
import type { MiddlewareRun, ModelCall } from '../../core/extension/middleware.ts'

/** The parts of a run that a key depends on. */
export type KeyRun = Pick<MiddlewareRun, 'caller' | 'tool'>

/**
 * Everything that an answer depends on as one text: caller, model, every option, the tools as the model
 * reads them, and the messages. Undefined if JSON cannot hold it; the call is then not cached.
 */
export function cacheKey(call: ModelCall, run: KeyRun, version: string): string | undefined {
  const { role, sampling, maxTokens, schema, tools = [], continues, prompt } = call
  const parts = {
    version,
    caller: run.caller,
    model: calledModel(call),
    options: { role, sampling, maxTokens, schema, continues },
    tools: tools.map((name) => ({ name, ...readByModel(name, run) })),
    prompt,
  }
  try {
    const plain: Json = JSON.parse(JSON.stringify(parts))
    return canonicalJson(plain)
  } catch {
    return undefined
  }
}

function readByModel(name: string, run: KeyRun): Readonly<Record<string, Json>> {
  const tool = run.tool(name)
  return tool === undefined ? {} : { description: tool.description, schema: tool.jsonSchema }
}
