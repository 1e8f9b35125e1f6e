export { a2a, type A2aOptions } from './a2a/a2a-protocol.ts'
export { agUi, type AgUiOptions } from './ag-ui/ag-ui.ts'
export { serveAssistant, type ServeAssistantOptions } from './agents/assist-agent.ts'
export { serveChat, type ServeChatOptions } from './agents/chat-agent.ts'
export { serveDecider, type ServeDeciderOptions } from './agents/decide-agent.ts'
export type {
  ClientTool,
  IntentKeeper,
  Review,
  Reviews,
  RungUsage,
  ServedAgent,
  ServedRun,
  TurnContext,
  TurnEnd,
  TurnFile,
  TurnInput,
} from './agents/served-agent.ts'
export {
  serveSupport,
  type ServeSupportOptions,
  type SupportAgent,
} from './agents/support-agent.ts'
export {
  serveDefinition,
  type ServeDefinitionOptions,
  type TextDefinition,
} from './agents/definition-agent.ts'
export { hubPerformer, type HubPerformerOptions } from './engine/hub-performer.ts'
export { wouldLoad, type WouldLoadOptions } from './engine/would-load.ts'
export type { Figure, FigureValue } from './http/metrics.ts'
export type { Principal } from './access/principal.ts'
export { hashToken, newToken, type ServerToken } from './access/tokens.ts'
export { HttpProblem } from './http/problem.ts'
export { evaluationsIn, type EvaluationsInOptions } from './compose/evaluations-in.ts'
export type { PriceOf } from './access/savings.ts'
export type { DatasetRunner } from './evaluations/evaluations.ts'
export type { TuneSets } from './rest/tune-routes.ts'
export {
  type AgentServer,
  createServer,
  type ListenOptions,
  type ServerOptions,
} from './compose/create-server.ts'
export type { App, Env, Protocol, ServerContext } from './http/server-context.ts'
export { statusApi } from './rest/status-api.ts'
export { mcp } from './mcp/mcp.ts'
export { type McpStdioOptions, serveMcpStdio } from './mcp/mcp-stdio.ts'
