import type { JSONSchema7, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { BoundModel } from '../core/model/model.ts'
import type { Failed, Generated, ToolsCalled } from '../core/agent/observation.ts'
import type { ToolCall } from '../core/tool/tool-call.ts'
import type { ModelAnswer } from '../runtime/model/model-answer.ts'
import { toProblem } from '../runtime/model/provider-problem.ts'
import { toJsonSchema7 } from '../runtime/tools/offered-tools.ts'
import type { PerformEffect } from '../verify/rule-on.ts'
import type { AskModel, Observed } from '../verify/verifier.ts'
import type { Bill } from './bill.ts'
import { type CallCharged, MeteredAttempt } from './metered-attempt.ts'
import type { CallBudget } from './call-budget.ts'

/** Calls the tools of a verifier. */
export type CallTools = (
  calls: readonly ToolCall[],
  signal: AbortSignal | undefined,
) => Promise<ToolsCalled>

/** The models, tools and limits with which a verifier's effects are performed. */
export interface Performing {
  readonly callBudget: CallBudget
  readonly bill: Bill
  readonly signal: AbortSignal | undefined
  /** Models by role. */
  readonly models: Readonly<Record<string, BoundModel>>
  /** Calls the verifier's tools; absent if it was given none. */
  readonly callTools?: CallTools | undefined
}

/** Performs what a verifier asks for, each model call metered like any other. */
export function performWith(performing: Performing): PerformEffect {
  const { models, callTools, signal } = performing
  return async (effect): Promise<Observed> => {
    if (effect.type === 'call-tools') {
      if (callTools !== undefined) return callTools(effect.calls, signal)
      return failed('the verifier calls tools; give them to the cascade as tools')
    }
    const { role } = effect
    const model = Object.hasOwn(models, role) ? models[role] : undefined
    if (model !== undefined) return opinion(performing, model, effect)
    return failed(`no model has the role ${role}; name one with ask: { ${role}: 'provider/model' }`)
  }
}

async function opinion(
  { callBudget, bill, signal }: Performing,
  model: BoundModel,
  asked: AskModel,
): Promise<Observed> {
  const attempt = await MeteredAttempt.open(callBudget, {
    model,
    options: optionsOf(asked, signal),
  })
  if (!(attempt instanceof MeteredAttempt)) {
    const { limit, message } = attempt
    return { type: 'refused', by: 'budget', limit, message }
  }
  try {
    const { raw, answer } = await attempt.generate()
    const charged = attempt.settle(answer)
    bill.add(charged, asked.role, raw.usage)
    return generated(answer, charged)
  } catch (error) {
    bill.add(attempt.fail(error), asked.role)
    return { type: 'failed', error: toProblem(error, 1, model.normalizeError) }
  }
}

function optionsOf(
  { messages, schema, maxTokens, sampling = {} }: AskModel,
  abortSignal: AbortSignal | undefined,
): LanguageModelV4CallOptions {
  const { stop, ...settings } = sampling
  const json: JSONSchema7 | undefined = schema && toJsonSchema7(schema)
  return {
    prompt: messages.toArray().slice(),
    maxOutputTokens: maxTokens,
    ...settings,
    ...(stop !== undefined && { stopSequences: [...stop] }),
    ...(json !== undefined && { responseFormat: { type: 'json', schema: json } }),
    ...(abortSignal !== undefined && { abortSignal }),
  }
}

const generated = (
  { text, calls, finish }: ModelAnswer,
  { model, usage, cost }: CallCharged,
): Generated => ({
  type: 'generated',
  text,
  calls,
  finish: FINISH[finish],
  model,
  usage: usage ?? { input: 0, output: 0 },
  ...(usage === null && { assumed: 'none was reported' }),
  cost,
})

const FINISH: Readonly<Record<ModelAnswer['finish'], Generated['finish']>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tools',
  'content-filter': 'filter',
  other: 'stop',
  error: 'length',
  interrupted: 'length',
}

const failed = (message: string): Failed => ({
  type: 'failed',
  error: { code: 'not-found', message, retryable: false, attempts: 0 },
})
