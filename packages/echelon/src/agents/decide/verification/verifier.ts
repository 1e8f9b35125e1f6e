import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import type { Claim } from './claim.ts'
import type { Verdict } from './verdict.ts'

/** A question, with the day that its meaning may depend on. */
export type Question = Pick<Task, 'input' | 'today'>

/** A verifier's reading of a question. `why` is one clause. */
export type QuestionReading<Own extends Claim = Claim> =
  | { readonly type: 'claim'; readonly claim: Own }
  /** The question is ambiguous, so no other verifier is asked. */
  | { readonly type: 'unclear'; readonly why: string }
  /** The verifier does not read such questions; the next one is asked. */
  | { readonly type: 'other'; readonly why: string }

/** The input of a verifier's judgment. It holds neither the known answer nor the plan's own words. */
export interface Case<Own extends Claim = Claim> {
  readonly task: Omit<Task, 'goldAnswer'>
  readonly claim: Own
  /** The results of the plan's actions in this round. */
  readonly ran: readonly Evidence[]
  /** The answer in these results, such as a number or a date. */
  readonly answer: string | null
  /** Minimum metric for a graded answer to pass: `verifier_thresholds` under its name, else 1. */
  readonly threshold: number
}

/**
 * Checks answers to one kind of question. A verifier is pure: it reads the question apart from any plan, names the
 * tool calls it needs, and judges by their outcomes. The runtime makes the calls, meters them as `checks` and
 * journals them, so a verifier also works in resumed runs. It must not throw.
 */
export interface Verifier<Own extends Claim = Claim> {
  /** Unique; the `kind` of its claims in states and journals, so it must not change. */
  readonly name: string
  /** The tools that its checks call. */
  readonly tools: readonly string[]
  /** Reads what a question asks, or says why it cannot. */
  read(question: Question): QuestionReading<Own>
  /** The tool calls needed before it can judge; empty if the evidence is enough. Each `id` is unique among them. */
  checks(one: Case<Own>): readonly ToolCall[]
  /**
   * The conclusion of the evidence: verified, refuted, or not checked.
   * @param checked the outcomes of `checks`, in the same order
   */
  judge(one: Case<Own>, checked: readonly ToolOutcome[]): Verdict
  /** Whether a stored claim of its kind is complete, so that a run can resume with it. */
  isClaim(stored: unknown): boolean
  /** Whether the question asks for something that does not exist, so that no plan can answer it. */
  hasNoAnswer?(question: string): boolean
  /**
   * The relation of its answers to a known answer. `equal`, the default: the known answer alone decides. `contained`:
   * the answer is a report that must pass and hold the known answer.
   */
  readonly knownAnswer?: 'equal' | 'contained'
}
