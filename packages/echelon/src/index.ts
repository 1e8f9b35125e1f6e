export type { AgentOptions } from './agents/chat/agent-options.ts'
export type { Agent } from './agents/chat/chat-agent.ts'
export type { ChatEnd, ChatRun } from './agents/chat/chat-run.ts'
export type { Session } from './agents/chat/session/session.ts'
export { AgentBuilder, createAgent } from './compose/agent.ts'
export { createDecider, runCase, runCaseDeterministic } from './compose/decide-on-first-call.ts'
export type { DeciderOptions } from './compose/decider-options.ts'
export { defineMiddleware } from './core/extension/define-middleware.ts'
export { ERRORS, EchelonError, type ErrorCode } from './core/value/error.ts'
export type { Middleware, MiddlewareSpec } from './core/extension/defined-middleware.ts'
export type {
  Immutable,
  MiddlewareContext,
  MiddlewareHooks,
  MiddlewareRun,
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
