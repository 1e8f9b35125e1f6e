import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { ModelCall } from '../../core/extension/middleware.ts'

/** The options of one model call. */
export type RequestOptions = Pick<
  ModelCall,
  'sampling' | 'maxTokens' | 'tools' | 'model' | 'schema' | 'timeoutMs'
>

/**
 * Receives the options of each model call first and returns the options to use. `tools` are names and
 * can only be removed: an agent cannot call tools that it was not given.
 */
export type ConfigureOptions = (options: RequestOptions) => RequestOptions

/** Makes the callback the outermost middleware around a model call. */
export function requestOptionsMiddleware(
  configure: ConfigureOptions,
): Middleware<'configureOptions'> {
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
