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
export { createDecider, type DeciderOptions, runCase, runCaseDeterministic } from './decide.ts'
export { ERRORS, EchelonError, type ErrorCode } from './core/error.ts'
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
} from './core/middleware.ts'
export { RPC_CODES } from './core/rpc-code.ts'
export { migration } from './core/state-migration.ts'
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state.ts'
export { defineTool, ToolError } from './core/tool.ts'
