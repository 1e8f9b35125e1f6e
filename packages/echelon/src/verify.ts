export { agree } from './verify/agree/agree.ts'
export type { AgreeOptions } from './verify/agree/plan.ts'
export {
  asProgram,
  type Computes,
  inWords,
  type ProgramOptions,
  type Way,
  type WayOptions,
} from './verify/agree/way.ts'
export { all, any } from './verify/all-any.ts'
export {
  type Compared,
  compareOpinion,
  OPINION_FEATURES,
  opinionFeatures,
  votesFor,
} from './verify/agree/opinion.ts'
export type { Answer, Attempt, CallMade, Source, VerifiedTask, Wanted } from './verify/answer.ts'
export { call } from './verify/call/call.ts'
export {
  type CalibratedFeature,
  type CalibratedModel,
  probabilityBy,
  readCalibratedModel,
  type TrainedOn,
} from './verify/calibrated/calibrated-model.ts'
export { calibratedScore } from './verify/calibrated/calibrated-score.ts'
export {
  fitCalibrated,
  type FitOptions,
  type JudgedCase,
} from './verify/calibrated/fit-calibrated.ts'
export { check, type CheckFound } from './verify/check/check.ts'
export { commandCheck, type CommandCheckOptions } from './verify/check/command-check.ts'
export { grounded } from './verify/grounded/grounded.ts'
export { judge, type JudgeOptions } from './verify/judge/judge.ts'
export {
  finalAnswer,
  type FinalAnswer,
  finalAnswerOf,
  sameAnswer,
} from './verify/format/final-answer.ts'
export type { FinalChoice, FinalYesNo } from './verify/format/final-choice.ts'
export type { FinalDate } from './verify/format/final-date.ts'
export type { FinalNumber } from './verify/format/final-number.ts'
export { format } from './verify/format/format.ts'
export { cascadeModel } from './compose/cascade-model.ts'
export type {
  CascadeModel,
  CascadeModelChoice,
  CascadeModelOptions,
  CascadeSpending,
} from './cascade/cascade-model.ts'
export { type CascadeCall, cascadeReport, type CascadeReport } from './cascade/cascade-report.ts'
export type { CascadeLimits } from './cascade/call-budget.ts'
export { attemptOf, type GivenAnswer, type VerifiedCall } from './verify/attempt-of.ts'
export { type AnswerStatus, gate, type GateOptions, type Ruling } from './verify/gate.ts'
export { type PerformEffect, ruleBy, ruleOn, type VerifiedGate } from './verify/rule-on.ts'
export { plan } from './agents/decide/verification/plan-verifier.ts'
export { judgeBySeveral, type Judged } from './verify/several.ts'
export { steps } from './verify/steps/steps.ts'
export type { Rational } from './verify/text/rational.ts'
export {
  type AskModel,
  type AskTools,
  type Judgment,
  type Observed,
  proved,
  refuted,
  type Request,
  scored,
  silent,
  type Verifier,
  type VerifierEffect,
} from './verify/verifier.ts'
