import type { Moved } from 'echelon/runtime'
import type { Weighed, Weighing } from '../../dialogue/work.ts'
import type { PolicyDecision } from '../../primitives/policy-engine.ts'
import { newPlan } from '../begin-task.ts'
import { utc } from '../conclusion.ts'
import { resumedTask } from '../open-task.ts'
import { canceled } from '../planning/plan-execution.ts'
import type { SupportSettings } from '../support-settings.ts'
import type { ActiveIntent, SupportState } from '../support-state.ts'
import { askRules } from './ask-rules.ts'

/** Asks the rules about the next request of a weighing, as about a call that is not made; `null` if none is left. */
export function weighNext(
  settings: SupportSettings,
  state: SupportState,
  weighing: Weighing,
): Moved<SupportState> | null {
  const [request, ...left] = weighing.left
  if (request === undefined) return null
  const rest = { ...weighing, left }
  const intent = settings.registry.find(request.intentId)
  if (intent === undefined) return weighNext(settings, state, rest)
  const { execution, plans } = newPlan(state, intent.id)
  const task = resumedTask({ ...request, execution, failedAsks: 0 })
  return askRules({ ...state, plans }, { ...task, weighing: rest }, intent)
}

/** Takes the rules' decision on one request. The rest of the weighing is the next work of the turn. */
export function withDecision(
  state: SupportState,
  { intentId, params, execution, weighing }: ActiveIntent & { readonly weighing: Weighing },
  { decision, rests }: { readonly decision: PolicyDecision; readonly rests: string | undefined },
): SupportState {
  const { violations, asNotFound, instead } = decision
  const verdict = verdictOf(decision)
  const isHidden = asNotFound === true
  const one: Weighed = {
    intentId,
    params,
    verdict,
    isHidden,
    violations,
    instead: instead ?? null,
    ...(rests !== undefined && { rests }),
  }
  return {
    ...state,
    executions: [...state.executions, canceled(execution, utc(state.at))],
    queue: [{ do: 'weigh', ...weighing, weighed: [...weighing.weighed, one] }, ...state.queue],
    task: null,
  }
}

function verdictOf({ allowed, requiresEscalation }: PolicyDecision): Weighed['verdict'] {
  if (requiresEscalation) return 'approval'
  return allowed ? 'allowed' : 'denied'
}
