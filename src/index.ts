export { createDecider, type DeciderOptions, runCase, runCaseDeterministic } from './decide.ts'
export { defineMiddleware } from './core/define-middleware.ts'
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
export type { Migrations, StateSchema, StateScope, StateSpec } from './core/state.ts'
export { defineTool, ToolError } from './core/tool.ts'
