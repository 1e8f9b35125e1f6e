import type { AssistEffect } from '../../packages/assist/src/assist-definition.ts'
import { DEFAULT_INTENT } from '../../packages/assist/src/intent/intent.ts'
import type {
  EvaluatorContext,
  ExecutorContext,
  PlannerContext,
} from '../../packages/assist/src/layer-context.ts'
import { DEFAULT_PLAN } from '../../packages/assist/src/plan/planner.ts'
import type { Report } from '../../packages/assist/src/report.ts'
import { Thread } from '../../packages/echelon/src/core/message/thread.ts'
import type { Evaluation } from '../../packages/assist/src/evaluation/evaluation.ts'

/**
 * Accesses that the compiler refuses to a layer. `types.test.ts` compiles this file: each marked line must be an error,
 * and no other.
 */
const messages = Thread.of([])
const report: Report = { user_input: '', draft: null, earlier: [] }
const patterns = { repeated_failures: [], successful_approaches: [] }
const intent = DEFAULT_INTENT
const plan = DEFAULT_PLAN
const evaluation: Evaluation = {
  timestamp: '',
  outcome: '',
  matched_intent: true,
  revision_triggered: false,
  target: 'planner',
}

export const within: readonly AssistEffect[] = [
  { type: 'recall', actor: 'keeper', memory: 'intent' },
  { type: 'remember', actor: 'planner', memory: 'plans', value: null },
  { type: 'remember', actor: 'evaluator', memory: 'evaluations', value: null },
  { type: 'say', actor: 'executor', text: '' },
  { type: 'generate', actor: 'executor', role: 'executor', messages },
  { type: 'recall', actor: 'executor', memory: 'knowledge' },
  { type: 'call-tools', actor: 'executor', calls: [] },
]

export const oversteps: readonly AssistEffect[] = [
  // @ts-expect-error an executor that reads evaluations, such as to repair its own answer
  { type: 'recall', actor: 'executor', memory: 'evaluations' },
  // @ts-expect-error an executor that reads plans
  { type: 'recall', actor: 'executor', memory: 'plans' },
  // @ts-expect-error a planner that calls tools
  { type: 'call-tools', actor: 'planner', calls: [] },
  // @ts-expect-error an executor that writes the intent
  { type: 'remember', actor: 'executor', memory: 'intent', value: null },
  // @ts-expect-error an executor that plans
  { type: 'generate', actor: 'executor', role: 'planner', messages },
  // @ts-expect-error an evaluator that speaks
  { type: 'say', actor: 'evaluator', text: '' },
  // @ts-expect-error an evaluator whose text is shown
  { type: 'generate', actor: 'evaluator', role: 'evaluator', messages, show: 'user' },
  // @ts-expect-error an evaluator that calls tools
  { type: 'call-tools', actor: 'evaluator', calls: [] },
  // @ts-expect-error an evaluator that writes plans
  { type: 'remember', actor: 'evaluator', memory: 'plans', value: null },
  // @ts-expect-error an evaluator that executes
  { type: 'generate', actor: 'evaluator', role: 'executor', messages },
  // @ts-expect-error a planner that writes evaluations
  { type: 'remember', actor: 'planner', memory: 'evaluations', value: null },
  // @ts-expect-error a planner that speaks
  { type: 'say', actor: 'planner', text: '' },
  // @ts-expect-error a planner that writes the intent
  { type: 'remember', actor: 'planner', memory: 'intent', value: null },
  // @ts-expect-error an evaluator that writes the intent
  { type: 'remember', actor: 'evaluator', memory: 'intent', value: null },
  // @ts-expect-error a keeper that writes the intent
  { type: 'remember', actor: 'keeper', memory: 'intent', value: null },
]

export const planner: PlannerContext = {
  intent,
  conversation: [],
  refused: [],
  report,
  current: plan,
  evaluation,
  patterns,
}
export const executor: ExecutorContext = {
  plan,
  northStars: [],
  success: '',
  refused: [],
  background: [],
  toolMessages: [],
  conversation: [],
  userInput: '',
}
export const evaluator: EvaluatorContext = { intent, outcome: report }

// @ts-expect-error an evaluator that sees the conversation
export const nosyEvaluator: EvaluatorContext = { ...evaluator, conversation: [] }
// @ts-expect-error an executor that sees the evaluation of its answer
export const vainExecutor: ExecutorContext = { ...executor, evaluation }
// @ts-expect-error an executor that sees its own draft
export const mendingExecutor: ExecutorContext = { ...executor, draft: '' }
// @ts-expect-error a report that judges
export const judging: Report = { ...report, verdict: 'good' }
