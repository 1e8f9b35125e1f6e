import type { CaseOptions } from './agents/decide/case/case-options.ts'
import type { CaseResult } from './agents/decide/case/case-result.ts'
import type { Decider } from './agents/decide/decider.ts'
import type * as DecideDoor from './decide.ts'
import type { DeciderOptions } from './decide.ts'

export {
  type Agent,
  AgentBuilder,
  type AgentOptions,
  type ChatEnd,
  type ChatRun,
  createAgent,
  defineMiddleware,
  type Session,
} from './chat.ts'
export type { DeciderOptions } from './decide.ts'
export { ERRORS, EchelonError, type ErrorCode } from './core/value/error.ts'
export type {
  Immutable,
  Layer,
  MiddlewareContext,
  MiddlewareHooks,
  MiddlewareHost,
  MiddlewareSpec,
  ModelCall,
  ModelOutcome,
  Prompt,
  TextTransform,
  ToolRequest,
  Turn,
  TurnEnd,
} from './core/extension/middleware.ts'
export {
  type ApprovalRequest,
  isApproval,
  type QuestionRequest,
  type RequestAbout,
} from './core/agent/permission.ts'
export { migration } from './core/state/state-migration.ts'
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state/state.ts'
export {
  defineTool,
  type JsonSchemaToolSpec,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolSpec,
} from './core/tool/tool.ts'

// The decision agent, its tools and the configuration are loaded by its first call: whoever only
// builds an agent has no need of them.
const decide = (): Promise<typeof DecideDoor> => import('./decide.ts')

/**
 * A decider with everything that it needs. Without options it works offline: no key, no network.
 * @throws EchelonError INVALID_CONFIG, or MISSING_PACKAGE for a built-in tool's package
 */
export async function createDecider(options?: DeciderOptions): Promise<Decider> {
  return (await decide()).createDecider(options)
}

/**
 * Decides one task with everything by default: the offline models, the built-in tools, the
 * documented limits. For other models or limits make a decider with `createDecider`.
 * @throws EchelonError for input or options that cannot be used; MODEL_FAILED where no model could be asked at all
 */
export async function runCase(input: string, options?: CaseOptions): Promise<CaseResult> {
  return (await decide()).runCase(input, options)
}

/** The same with time, ids and jitter held still: the same seed gives the same log. */
export async function runCaseDeterministic(
  input: string,
  seed?: number,
  options?: Omit<CaseOptions, 'seed' | 'idempotencyKey'>,
): Promise<CaseResult> {
  return (await decide()).runCaseDeterministic(input, seed, options)
}
