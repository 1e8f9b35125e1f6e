import { Assistant } from './agents/assist/assistant.ts'
import type {
  AssistantOptions,
  AssistantParts,
  AssistModel,
} from './agents/assist/assistant-options.ts'
import { ProcessMemory } from './agents/assist/defaults/process-memory.ts'
import { reflect } from './agents/assist/reflection.ts'
import { readDraft } from './agents/assist/sense/read-draft.ts'
import { readUser } from './agents/assist/sense/read-user.ts'
import { briefModels } from './chat.ts'
import type { ArtifactStore } from './core/artifact.ts'
import { EchelonError } from './core/error.ts'
import { asLanguageModel } from './core/language-model.ts'
import type { BoundModel } from './core/model.ts'
import { systemClock, systemTimeZone } from './host/clock.ts'
import { sha256 } from './host/hash.ts'
import { systemIds } from './host/ids.ts'
import { normalizerOf } from './providers/errors/by-key.ts'

export {
  ASSIST_ACTORS,
  ASSIST_MEMORIES,
  assistAgent,
  type AssistEffect,
} from './agents/assist/assist-definition.ts'
export type { AssistResult } from './agents/assist/assist-result.ts'
export type { AssistRun } from './agents/assist/assist-run.ts'
export type {
  AssistSession,
  AssistStore,
  UnfinishedAssistTurn,
} from './agents/assist/assist-session.ts'
export {
  ASSIST_DEFAULTS,
  ASSIST_ROLES,
  type AssistRole,
  type AssistSettings,
} from './agents/assist/assist-settings.ts'
export type {
  AssistInput,
  AssistLayer,
  AssistState,
  Decision,
  TurnOutcome,
} from './agents/assist/assist-state.ts'
export type {
  Assistant,
  AssistRunOptions,
  AssistSessionOptions,
} from './agents/assist/assistant.ts'
export type {
  AssistantOptions,
  AssistLimits,
  AssistModel,
} from './agents/assist/assistant-options.ts'
export {
  memoryFolder,
  type MemoryFolder,
  type MemoryFolderOptions,
} from './agents/assist/defaults/memory-folder.ts'
export type { Evaluation, Evaluations, Patterns } from './agents/assist/evaluation.ts'
export { Evaluator, type Judgement } from './agents/assist/evaluator.ts'
export {
  type ExecutionResult,
  Executor,
  type ExecutorParts,
  type Reflect,
} from './agents/assist/executor.ts'
export type { Finding, ReadDraft, ReadUser } from './agents/assist/finding.ts'
export { IntentStore } from './agents/assist/intent-store.ts'
export { DEFAULT_INTENT, type Intent } from './agents/assist/intent.ts'
export type { EvaluationLimits } from './agents/assist/kept-evaluations.ts'
export type {
  EvaluatorContext,
  ExecutorContext,
  PlannerContext,
} from './agents/assist/layer-context.ts'
export type { Outcome } from './agents/assist/outcome.ts'
export {
  type Altitude,
  ALTITUDES,
  type Plan,
  type Plans,
  type Revision,
} from './agents/assist/plan.ts'
export { DEFAULT_PLAN, Planner } from './agents/assist/planner.ts'
export { readReport } from './agents/assist/read-report.ts'
export { reflect, type Reflected } from './agents/assist/reflection.ts'
export type { Report, TurnFacts } from './agents/assist/report.ts'
export { readDraft } from './agents/assist/sense/read-draft.ts'
export { readUser } from './agents/assist/sense/read-user.ts'

/**
 * An assistant of four layers. Without options it works offline: it reflects with its user by rule, on
 * the intent that comes with Echelon.
 *
 * `const { text } = await createAssistant({ model: 'openai/gpt-5-nano' }).run('Should I move?').result`
 */
export const createAssistant = (options: AssistantOptions = {}): Assistant =>
  new Assistant(options, PARTS)

/** No layer has tools that make files. */
const noArtifacts: ArtifactStore = {
  write: () => Promise.reject(new EchelonError('INVALID_CONFIG', 'the assistant makes no files')),
}

async function load(model: AssistModel): Promise<BoundModel> {
  if (typeof model === 'string') return briefModels.resolve(model)
  if ('price' in model) return model
  return {
    id: `${model.provider}/${model.modelId}`,
    model: asLanguageModel(model),
    // What nobody knows the price of is never taken to be free.
    price: () => null,
    normalizeError: normalizerOf(model.provider),
  }
}

const PARTS: AssistantParts = {
  clock: systemClock,
  ids: systemIds,
  artifacts: noArtifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  memory: () => new ProcessMemory(),
  load,
  readUser,
  readDraft,
  reflect: (input, intent, plan, history) => reflect({ input, intent, plan, history }),
}
