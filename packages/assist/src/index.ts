export { createAssistant } from './compose/create-assistant.ts'
export {
  ASSIST_ACTORS,
  ASSIST_MEMORIES,
  assistAgent,
  type AssistEffect,
} from './assist-definition.ts'
export type { AssistResult } from './assist-result.ts'
export type { AssistRun } from './session/assist-run.ts'
export type { AssistFacts, AssistKnowledge } from './session/lookup-memory.ts'
export type { AssistSession, AssistStore, UnfinishedAssistTurn } from './session/assist-session.ts'
export {
  ASSIST_DEFAULTS,
  ASSIST_ROLES,
  type AssistRole,
  type AssistSettings,
} from './assist-settings.ts'
export type {
  AssistInput,
  AssistLayer,
  AssistState,
  Decision,
  TurnOutcome,
} from './assist-state.ts'
export type { Assistant, AssistRunOptions, AssistSessionOptions } from './assistant.ts'
export type { AssistantOptions, AssistLimits, AssistModel } from './assistant-options.ts'
export {
  memoryFolder,
  type MemoryFolder,
  type MemoryFolderOptions,
} from './defaults/memory-folder.ts'
export type { Evaluation, Evaluations, Patterns } from './evaluation/evaluation.ts'
export { Evaluator, type Judgment } from './evaluation/evaluator.ts'
export { type ExecutionResult, Executor, type ExecutorParts, type Reflect } from './executor.ts'
export type { Finding, ReadDraft, ReadUser } from './evaluation/finding.ts'
export { IntentStore } from './intent/intent-store.ts'
export { DEFAULT_INTENT, type Intent, isExampleIntent } from './intent/intent.ts'
export type { EvaluationLimits } from './evaluation/kept-evaluations.ts'
export type { EvaluatorContext, ExecutorContext, PlannerContext } from './layer-context.ts'
export type { Outcome } from './evaluation/outcome.ts'
export { type Altitude, ALTITUDES, type Plan, type Plans, type Revision } from './plan/plan.ts'
export { DEFAULT_PLAN, Planner } from './plan/planner.ts'
export { readReport } from './read-report.ts'
export { reflect, type Reflected } from './reflection.ts'
export type { Report, TurnFacts } from './report.ts'
export { readDraft } from './sense/read-draft.ts'
export { readUser } from './sense/read-user.ts'
