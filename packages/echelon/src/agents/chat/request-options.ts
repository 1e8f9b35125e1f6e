import type { Layer, ModelCall } from '../../core/extension/middleware.ts'

/** What can be set for one model call. */
export type RequestOptions = Pick<
  ModelCall,
  'sampling' | 'maxTokens' | 'tools' | 'model' | 'schema' | 'timeoutMs'
>

/**
 * Sees the options of each model call before anything else does, and returns those that hold. `tools`
 * are names and can only be taken away: what an agent was not given, it may not call.
 */
export type ConfigureOptions = (options: RequestOptions) => RequestOptions

/** The callback as the outermost layer around a model call. */
export function requestOptionsLayer(configure: ConfigureOptions): Layer<'configureOptions'> {
  return {
    name: 'configureOptions',
    key: 'echelon/configureOptions',
    slot: undefined,
    replaces: [],
    generate: (call, next) => next(configured(call, configure)),
  }
}

function configured(call: ModelCall, configure: ConfigureOptions): ModelCall {
  const { sampling, maxTokens, tools, model, schema, timeoutMs, ...rest } = call
  const given: RequestOptions = {
    ...(sampling !== undefined && { sampling }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(tools !== undefined && { tools }),
    ...(model !== undefined && { model }),
    ...(schema !== undefined && { schema }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  const wanted = configure(given)
  const offered = wanted.tools?.filter((tool) => tools?.includes(tool) === true)
  return { ...rest, ...wanted, ...(offered !== undefined && { tools: offered }) }
}
