import { checkOptions } from './check-options.ts'
import { EchelonError } from '../../core/value/error.ts'
import { completeTimeouts } from '../../core/model/model-timeouts.ts'
import { checkMiddlewares } from '../../middleware/compose.ts'
import { completePolicy } from '../../middleware/reliability/retry-check.ts'
import { checkToolNames } from '../../runtime/tools/tool-registry.ts'
import type { AgentPlan, ChatLimits } from './agent-options.ts'
import { withMiddlewareTools } from './middleware-tools.ts'
import { resultChars } from './output/bounded-results.ts'
import { wholeNumber } from './chat-settings.ts'
import { checkModel } from './model-binding.ts'
import { outputFormat } from './output/output-format.ts'

/**
 * Refuses a plan that can never work, without loading anything.
 * @throws EchelonError INVALID_CONFIG for an invalid number or model; INVALID_DEFINITION for tools or
 * middleware that clash, an output schema that is not an object, and a model with an outdated interface
 */
export function checkPlan(plan: AgentPlan): void {
  checkOptions(plan)
  const { model, tools, limits, errorHandling, use, output } = plan
  const { maxIterations = 1, maxParallelTools = 1, maxTokens = 1, timeoutMs = 1 } = plan
  wholeNumber('maxIterations', maxIterations)
  wholeNumber('maxParallelTools', maxParallelTools)
  if (plan.maxCallsPerStep !== undefined) wholeNumber('maxCallsPerStep', plan.maxCallsPerStep)
  wholeNumber('maxTokens', maxTokens)
  if (plan.maxInputChars !== undefined) wholeNumber('maxInputChars', plan.maxInputChars)
  if (plan.maxResultChars !== undefined) resultChars(plan.maxResultChars)
  if (!(timeoutMs > 0)) throw noNumber('timeoutMs', timeoutMs, 'milliseconds above 0')
  if (plan.modelTimeouts !== undefined) completeTimeouts('modelTimeouts', plan.modelTimeouts)
  if (limits !== undefined) checkLimits(limits)
  if (errorHandling !== undefined) completePolicy('errorHandling', errorHandling)
  if (tools !== undefined && tools.length > 1) checkToolNames(tools)
  withMiddlewareTools(tools, use)
  if (use.length > 1) checkMiddlewares(use)
  if (output !== undefined) outputFormat(output)
  if (model !== undefined) checkModel(model)
}

/** @throws EchelonError INVALID_CONFIG for a limit that is not a number from 0 on */
export function checkLimits(limits: ChatLimits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || value >= 0) continue
    throw noNumber(`limits.${name}`, value, 'a number from 0 on')
  }
}

const noNumber = (name: string, value: number, what: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', `${name} is ${value}; give ${what}`)
