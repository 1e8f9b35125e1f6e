import type { ModelCall } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed } from '../../core/agent/observation.ts'
import type { AskModel, Observed } from '../../verify/verifier.ts'
import type { PerformEffect } from '../../verify/rule-on.ts'
import type { Spent } from './spent.ts'

/**
 * Performs what a verifier asks for within a model call. Its model calls count for the role of the call, so
 * that a limit of calls holds for all; their text is not shown.
 * @param models by role
 */
export function performFor(
  call: ModelCall,
  spent: Spent,
  models: Readonly<Record<string, string | BoundModel>>,
): PerformEffect {
  return async (effect): Promise<Observed> => {
    if (effect.type === 'call-tools') {
      return (await call.callTools?.(effect.calls)) ?? failed('this call can call no tools')
    }
    const model = Object.hasOwn(models, effect.role) ? models[effect.role] : undefined
    if (model === undefined) {
      const { role } = effect
      return failed(
        `no model has the role ${role}; name one with ask: { ${role}: 'provider/model' }`,
      )
    }
    return spent.call({ ...opinionCall(call, effect), model })
  }
}

function opinionCall(
  { actor, role, modelId, timeoutMs, signal }: ModelCall,
  { messages, schema, maxTokens, sampling }: AskModel,
): ModelCall {
  return {
    actor,
    role,
    modelId,
    prompt: { head: [], thread: messages, tail: [] },
    maxTokens,
    show: 'nobody',
    ...(schema !== undefined && { schema }),
    ...(sampling !== undefined && { sampling }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(signal !== undefined && { signal }),
  }
}

const failed = (message: string): Failed => ({
  type: 'failed',
  error: { code: 'not-found', message, retryable: false, attempts: 0 },
})
