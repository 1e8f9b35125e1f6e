import type { ToolCall, ToolOutcome } from '../../core/tool/tool.ts'
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

/** What a run of the agent is started with. */
// An alias: an interface with optional fields is no JSON to compilers without exact optional types.
export type DecideInput = {
  readonly input: string
  /** In the input, so that whoever resumes the run applies the same policy. */
  readonly mode: Mode
  /** Tools without whose results an answer does not count; empty if nobody says. */
  readonly expectedTools: readonly string[]
  /** The right answer, where somebody knows it. */
  readonly goldAnswer: string | null
  /** ISO date; null is the day on which the run starts. */
  readonly today: string | null
  /** Handed to providers that sample by a seed. */
  readonly seed: number | null
  /** See `CaseOptions`; runs begun before it was asked have none. */
  readonly unchecked?: Unchecked
  /** See `RULES`; runs begun before there were several have none. */
  readonly rules?: number
}

/** What is to be decided, and what is known of it beforehand. */
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
}

/** One action and what came of it. */
export interface Evidence {
  readonly rung: number
  /** Round within the rung, from 0. */
  readonly round: number
  /** With references replaced. */
  readonly call: ToolCall
  readonly outcome: ToolOutcome
  /** When it was learnt, in milliseconds since the epoch. */
  readonly at: number
}

/** Why a round did not answer the task: what the next plan is told. */
export interface Failure {
  readonly actions: readonly Action[]
  /** One clause, for a model and a person alike. */
  readonly reason: string
  /** What a person is told instead, where a model should not read it. */
  readonly forPerson?: string
}

/** What all phases share. Nested in the state, not spread: see `byPhase`. */
export interface Loop {
  readonly task: Task
  /** What the question asks, read apart from any plan. */
  readonly claim: Claim
  /** Index in the ladder; never goes down. */
  readonly rung: number
  /** Gate decisions within this rung. */
  readonly rounds: number
  /** Gate decisions of all rungs. */
  readonly actSteps: number
  /** What was wrong with an answer that is asked for once more. */
  readonly reprompt: string | null
  /** Best metric within this rung, 0 to 1. */
  readonly best: number
  /** Rounds in a row without improvement. */
  readonly stalled: number
  /** Of all rungs, oldest first. */
  readonly evidence: readonly Evidence[]
  readonly failure: Failure | null
  /** The best answer so far, proved or not. */
  readonly answer: string | null
  /** Whether that answer was checked. */
  readonly checked: Checked
}

/**
 * Why a run ended. `unchecked`: nothing can check an answer, so no bigger model was asked. `blocked`:
 * no model can mend what stands in the way, such as a missing package or a division by zero.
 */
export const FINISH_REASONS = [
  'success',
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
      /** When the last result came, in milliseconds since the epoch. */
      readonly at: number
    }
  | {
      readonly phase: 'verify'
      readonly loop: Loop
      readonly actions: readonly Action[]
      readonly ran: readonly Evidence[]
      /** What the verifier recomputes. */
      readonly checks: readonly ToolCall[]
    }
  | {
      readonly phase: 'done'
      readonly loop: Loop
      readonly reason: FinishReason
      /** The limit that ended the run, if one did. */
      readonly limit: string | null
    }

export type PhaseOf<Name extends DecideState['phase']> = Extract<DecideState, { phase: Name }>

export interface DecideResult {
  readonly reason: FinishReason
  readonly limit: string | null
  readonly loop: Loop
  readonly verified: boolean
}
