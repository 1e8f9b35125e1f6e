import { Assistant } from './assistant.ts'
import type { AssistantOptions, AssistantParts, AssistModel } from './assistant-options.ts'
import { ProcessMemory } from './defaults/process-memory.ts'
import { reflect } from './reflection.ts'
import { readDraft } from './sense/read-draft.ts'
import { readUser } from './sense/read-user.ts'
import { briefModels } from 'echelon/internal/chat'
import type { ArtifactStore } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import { asLanguageModel } from 'echelon/internal/model'
import type { BoundModel } from 'echelon/providers'
import { systemClock, systemTimeZone } from 'echelon/internal/host'
import { sha256 } from 'echelon/internal/host'
import { systemIds } from 'echelon/internal/host'
import { normalizerOf } from 'echelon/internal/providers'

export {
  ASSIST_ACTORS,
  ASSIST_MEMORIES,
  assistAgent,
  type AssistEffect,
} from './assist-definition.ts'
export type { AssistResult } from './assist-result.ts'
export type { AssistRun } from './session/assist-run.ts'
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
export { Evaluator, type Judgement } from './evaluation/evaluator.ts'
export { type ExecutionResult, Executor, type ExecutorParts, type Reflect } from './executor.ts'
export type { Finding, ReadDraft, ReadUser } from './evaluation/finding.ts'
export { IntentStore } from './intent/intent-store.ts'
export { DEFAULT_INTENT, type Intent } from './intent/intent.ts'
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

/**
 * An assistant of four layers. Without options it works offline: it reflects with its user by rule, on the intent
 * that comes with Echelon.
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
    // An unknown price is never treated as free.
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
