export {
  type AgentsClient,
  type ApprovalsClient,
  type Client,
  createClient,
  type EvaluationsClient,
  type IntentClient,
  type SessionsClient,
  type TuneClient,
  type WhoseSession,
} from './client/client.ts'
export { ClientError } from './client/client-error.ts'
export type { ClientOptions } from './client/connection.ts'
export type { EventsOptions } from './client/run-events.ts'
export type { RunsClient } from './client/runs-client.ts'
export type { IntentChange, IntentView, KeptIntent } from './client/assist-wire.ts'
export {
  type ChangedCaseView,
  EVALUATION_STATUSES,
  type EvaluatedCaseView,
  type EvaluationChanges,
  type EvaluationList,
  type EvaluationView,
  type FigureView,
  type GateView,
  type TuneLadderView,
  type TunePointView,
  type TuneSetList,
  type TuneView,
} from './client/evaluation-wire.ts'
export type {
  AskedView,
  JournalEntryView,
  JournalPage,
  LedgerModelView,
  LedgerView,
  ModelCallList,
  ModelCallView,
  NoteView,
  PageQuery,
  PatchOperation,
  StepList,
  StepStateView,
  StepView,
} from './client/inspection-wire.ts'
export {
  AGENT_KINDS,
  type AgentView,
  type AnswerRequest,
  type ApprovalAnswer,
  type ApprovalAbout,
  type ApprovalView,
  type ArtifactView,
  CHECKED,
  COST_GROUPS,
  type CostGroupView,
  type CostReport,
  type CostRow,
  type ErrorView,
  type FileInput,
  type ForkRequest,
  type MessageView,
  REQUEST_KINDS,
  type RequestView,
  type RungView,
  RUN_STATUSES,
  type RunEndView,
  type RunEventView,
  type RunFilterQuery,
  type RunPage,
  type RunRequest,
  type RunStatusView,
  type RunSummaryView,
  type RunView,
  type SavedView,
  type SessionMessages,
  type SessionView,
} from './client/wire.ts'
export type { RunEvent } from './core/agent/event.ts'
export type { Observation } from './core/agent/observation.ts'
export type { Json, JsonObject } from './core/value/json.ts'
