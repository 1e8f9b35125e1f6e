import {
  type CascadeModel,
  type CascadeModelChoice,
  type CascadeModelOptions,
  cascadeOf,
} from '../cascade/cascade-model.ts'
import { systemClock, systemTimeZone } from '../platform/clock.ts'
import { systemIds } from '../platform/ids.ts'
import { configuredModels } from './models.ts'

/**
 * Several models as one model of the AI SDK: `generateText({ model: cascadeModel(['openai/gpt-5-nano',
 * 'openai/gpt-5'], { verify, accept: 0.8 }), prompt })`. Each call begins on the smallest model; the next one
 * is asked only if the verifier does not support the answer, or the model failed. Text, JSON and tool calls
 * are judged before the caller gets them; the last model's answer is taken in any case, and is streamed as it
 * comes. Names are resolved as everywhere in Echelon, with keys from the environment and the configuration.
 *
 * The worst case of each call is reserved before it is made, within `perCall` and `limits`, those that the
 * verifier asks for included. Under a limit of money or tokens, an answer has as many tokens as that leaves,
 * 4,096 where the caller sets no `maxOutputTokens`; what a thinking budget of `providerOptions` adds is not
 * known. A call that a limit refuses throws LIMIT_REACHED: an answer that was not accepted is never returned
 * in its place. The error of a model that no other one can stand in for is thrown as it is, so that the AI SDK
 * retries what is worth it.
 *
 * The usage is that of all calls together. `providerMetadata.echelon` has the `model` that answered, its
 * `status` (`proved`, `supported`, `unsupported` or `unchecked`), `confidence`, `evidence`, `promotions`,
 * `cost` in US dollars, and the `calls` with usage and cost of each; an unknown cost is `null`. `cascadeReport`
 * reads it.
 * @throws EchelonError INVALID_CONFIG for fewer than two models, or options that cannot work
 */
export const cascadeModel = (
  models: readonly CascadeModelChoice[],
  options: CascadeModelOptions,
): CascadeModel =>
  cascadeOf(models, options, {
    resolve: (name) => configuredModels.resolve(name),
    tools: {
      clock: systemClock,
      ids: systemIds,
      timeZone: systemTimeZone(),
      artifacts: {
        write: () => Promise.reject(new Error('a check of a verifier writes no files')),
      },
    },
  })
