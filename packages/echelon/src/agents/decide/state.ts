import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
import type { Answer } from '../../verify/answer.ts'
import type { Observed } from '../../verify/verifier.ts'
import type { WantedAnswer } from './answers/answer-gate.ts'
import type { Action } from './plan/plan.ts'
import type { Claim } from './verification/claim.ts'
import type { Mode, Unchecked } from './settings/settings.ts'
import type { Checked } from './verification/verdict.ts'

/**
 * The rules that a new run is decided by. A run resumes, and is replayed, by the rules that it was
 * begun under: a journal holds what its definition asked for, and a definition that asks for
 * something else is refused.
 *
 * 1: Models were told the verifier's own value. Every rung had the same limit of tokens and time.
 *    A question that nothing can check was escalated like any other, and was planned with tools only.
 * 2: As the documentation says. A model reads which part of a plan failed, never the value itself.
 */
export const RULES = 2

/** The input of a run of the agent. */
// An alias: without exact optional types, an interface with optional fields is not assignable to JSON.
export type DecideInput = {
  readonly input: string
  /** In the input, so that a resumed run applies the same policy. */
  readonly mode: Mode
  /** Tools that must give a result for an answer to count; empty by default. */
  readonly expectedTools: readonly string[]
  /** The right answer, if known. */
  readonly goldAnswer: string | null
  /** ISO date; null means the day on which the run starts. */
  readonly today: string | null
  /** Passed to providers that support a seed. */
  readonly seed: number | null
  /** See `CaseOptions`; absent in runs from before it existed. */
  readonly unchecked?: Unchecked
  /** See `RULES`; absent in runs from before there were several. */
  readonly rules?: number
  /** See `CaseOptions`; absent where no gate judges answers. */
  readonly wanted?: WantedAnswer
}

/** The question to decide, and what is known about it. */
export interface Task {
  readonly input: string
  readonly expectedTools: readonly string[]
  readonly goldAnswer: string | null
  readonly seed: number | null
  /** ISO date. */
  readonly today: string
  /** IANA name. */
  readonly timeZone: string
  readonly runId: string
  readonly unchecked: Unchecked
  /** See `RULES`. */
  readonly rules: number
  /** The kind of answer that is asked for; a gate then judges answers to questions that no verifier reads. */
  readonly wanted?: WantedAnswer
}

/** One action and its outcome. */
export interface Evidence {
  readonly rung: number
  /** Round within the rung, from 0. */
  readonly round: number
  /** With references resolved. */
  readonly call: ToolCall
  readonly outcome: ToolOutcome
  /** When the result came, in milliseconds since the epoch. */
  readonly at: number
}

/** Why a round did not answer the task; shown to the next plan. */
export interface Failure {
  readonly actions: readonly Action[]
  /** One clause, for both models and people. */
  readonly reason: string
  /** Shown to people instead of `reason`, if a model should not read it. */
  readonly forPerson?: string
}

/** Data shared by all phases. Nested in the state, not spread: see `byPhase`. */
export interface Loop {
  readonly task: Task
  /** The meaning of the question, read apart from any plan. */
  readonly claim: Claim
  /** Index in the ladder; never goes down. */
  readonly rung: number
  /** Gate decisions within this rung. */
  readonly rounds: number
  /** Gate decisions of all rungs. */
  readonly actSteps: number
  /** The fault of the answer that the model is asked to repeat. */
  readonly reprompt: string | null
  /** Best metric within this rung, 0 to 1. */
  readonly best: number
  /** Consecutive rounds without improvement. */
  readonly stalled: number
  /** Of all rungs, oldest first. */
  readonly evidence: readonly Evidence[]
  readonly failure: Failure | null
  /** The best answer so far, proved or not. */
  readonly answer: string | null
  /** Whether that answer was checked. */
  readonly checked: Checked
  /** Probability that this answer is right, if a gate scored it. */
  readonly confidence?: number | null
}

/**
 * Why a run ended. `success`: the answer is proved. `supported`: its evidence reaches the threshold of the gate.
 * `unchecked`: nothing can check an answer, so no bigger model was asked. `blocked`: no model can fix the problem,
 * such as a missing package or a division by zero.
 */
export const FINISH_REASONS = [
  'success',
  'supported',
  'budget',
  'big_fail',
  'unchecked',
  'blocked',
  'canceled',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

export type DecideState =
  | { readonly phase: 'plan'; readonly loop: Loop }
  | {
      readonly phase: 'execute'
      readonly loop: Loop
      readonly actions: readonly Action[]
      /** Results of the first actions, in order. */
      readonly ran: readonly Evidence[]
      /** Tool calls that this rung may still make. */
      readonly allowance: number
      /** Time of the last result, in milliseconds since the epoch. */
      readonly at: number
    }
  | {
      readonly phase: 'verify'
      readonly loop: Loop
      readonly actions: readonly Action[]
      readonly ran: readonly Evidence[]
      /** The calls that the verifier recomputes. */
      readonly checks: readonly ToolCall[]
    }
  | {
      readonly phase: 'judge'
      readonly loop: Loop
      readonly answer: Answer
      /** The results that the answer rests on. */
      readonly ran: readonly Evidence[]
      /** Observations of the effects that the verifier asked for, in order. */
      readonly observed: readonly Observed[]
    }
  | {
      readonly phase: 'done'
      readonly loop: Loop
      readonly reason: FinishReason
      /** The limit that ended the run, if any. */
      readonly limit: string | null
    }

export type PhaseOf<Name extends DecideState['phase']> = Extract<DecideState, { phase: Name }>

export interface DecideResult {
  readonly reason: FinishReason
  readonly limit: string | null
  readonly loop: Loop
  readonly verified: boolean
}
