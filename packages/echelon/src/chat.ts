export { AgentBuilder, createAgent } from './compose/agent.ts'
export { briefModels, configuredModels } from './compose/models.ts'
export type {
  AgentOptions,
  AgentSettings,
  AgentStore,
  ChatLimits,
  Logging,
  StatesOf,
  Telemetry,
  WrapModel,
} from './agents/chat/agent-options.ts'
export type { AgentToolOptions } from './agents/chat/agent-tool.ts'
export type {
  Agent,
  ChatForkOptions,
  ChatResumeOptions,
  ChatRunOptions,
  OutputOption,
} from './agents/chat/chat-agent.ts'
export type { ChatEnd, ChatRun } from './agents/chat/chat-run.ts'
export type { Log, LogLevel, LogRecord } from './core/observability/log.ts'
export { checkMessages } from './agents/chat/input/message-check.ts'
export type { ModelChoice, ModelSource, ProviderChoice } from './agents/chat/model-binding.ts'
export type { ConfigureOptions, RequestOptions } from './agents/chat/request-options.ts'
export type { SessionCheckpoint } from './agents/chat/session/checkpoint.ts'
export type { UnfinishedTurn } from './agents/chat/session/kept-conversation.ts'
export type { OpenSessionOptions } from './agents/chat/session/open-session.ts'
export type { RestoreOptions } from './agents/chat/session/session-checkpoint.ts'
export type { Session } from './agents/chat/session/session.ts'
export { defineMiddleware } from './core/extension/define-middleware.ts'
export type { RunEvent } from './core/agent/event.ts'
export type { Middleware, MiddlewareSpec } from './core/extension/defined-middleware.ts'
export type { MiddlewareContext } from './core/extension/middleware.ts'
export {
  type ApprovalRequest,
  isApproval,
  type QuestionRequest,
  type RequestAbout,
} from './core/agent/permission.ts'
export { migration } from './core/state/state-migration.ts'
export type { Message } from './core/message/thread.ts'
export {
  defineTool,
  type Tool,
  type ToolCall,
  type ToolContext,
  type ToolErrorCode,
  type ToolOutcome,
  ToolError,
  type JsonSchemaToolSpec,
  type ToolSpec,
  type WorksFor,
} from './core/tool/tool.ts'
