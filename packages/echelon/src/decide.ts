export { createDecider, standardVerifiers } from './compose/decider.ts'
export type { DeciderOptions } from './compose/decider-options.ts'
export { runCase, runCaseDeterministic } from './compose/default-decider.ts'
export { createReloadingDecider, type ReloadingDecider } from './compose/reloading-decider.ts'
export {
  type A2aMessage,
  type A2aPart,
  type A2aTask,
  a2aTask,
  RPC_CODES,
} from './agents/decide/case/a2a-task.ts'
export type { AnswerGate, WantedAnswer } from './agents/decide/answers/answer-gate.ts'
export type { CaseForkOptions, CaseOptions } from './agents/decide/case/case-options.ts'
export type { CaseRun } from './agents/decide/case/case-run.ts'
export { Decider } from './agents/decide/decider.ts'
export type { CaseArtifact, CaseResult } from './agents/decide/case/case-result.ts'
export { type LogEntry, redactEntry } from './agents/decide/case/log.ts'
export {
  DEFAULT_SETTINGS,
  type DecideSettings,
  type Mode,
  MODES,
  type PartialSettings,
  UNCHECKED,
  type Unchecked,
} from './agents/decide/settings/settings.ts'
export type { Claim } from './agents/decide/verification/claim.ts'
export {
  type Checked,
  proved,
  refuted,
  unproved,
  type Verdict,
} from './agents/decide/verification/verdict.ts'
export type {
  Case,
  Question,
  QuestionReading,
  Verifier,
} from './agents/decide/verification/verifier.ts'
export type { TaskView } from './agents/decide/case/task-view.ts'
