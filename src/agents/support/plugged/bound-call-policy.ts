import { isJsonObject } from '../../../core/json.ts'
import { defineMiddleware } from '../../../core/define-middleware.ts'
import type { Layer } from '../../../core/middleware.ts'
import { restsOn } from './approval-rests.ts'
import type { DataSource } from '../primitives/data-source.ts'
import { decisionIn } from '../turn/policy-decision.ts'
import type { PolicyEngine } from '../primitives/policy-engine.ts'
import type { SupportState } from '../turn/support-state.ts'

interface BoundCall {
  readonly policy: PolicyEngine
  readonly standing: () => SupportState
  readonly dataSource: Pick<DataSource, 'getOrder'>
  readonly hash: (text: string) => string
}

/**
 * Asks the rules once more, for the very call that is about to be made: between plan and call a model
 * may have written another one, or the world may have changed.
 */
export const boundCallPolicy = ({ policy, standing, ...looked }: BoundCall): Layer =>
  defineMiddleware({
    name: 'boundCallPolicy',
    namespace: 'echelon',
    async permit(request, next) {
      if (request.type !== 'call') return next(request)
      const { task, input, history } = standing()
      const { tool, input: given } = request.call
      const call = { toolName: tool, params: isJsonObject(given) ? given : {} }
      const plan = {
        intentId: task?.intentId ?? '',
        steps: [call],
        reasoning: task?.reasoning ?? '',
      }
      const isChanged = task?.rests !== undefined && task.rests !== (await restsOn(looked, [call]))
      if (isChanged) {
        return { type: 'deny', reason: 'the order has changed since that was approved; ask again' }
      }
      const decision = decisionIn(await policy.validate(plan, input.interaction, history))
      // Where nothing is being worked on, nobody has allowed anything.
      const isApproved = decision.requiresEscalation && (task?.approvedBy ?? null) !== null
      if (decision.allowed || isApproved) return next(request)
      const [rule] = decision.rules ?? []
      return {
        type: 'deny',
        reason: decision.violations.join('; ') || 'it is not allowed',
        ...(rule !== undefined && { rule }),
      }
    },
  })()
