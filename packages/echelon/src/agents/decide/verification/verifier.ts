import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import type { Claim } from './claim.ts'
import type { Verdict } from './verdict.ts'

/** A question, with what its meaning may depend on. */
export type Question = Pick<Task, 'input' | 'today'>

/** What a verifier makes of a question. `why` is one clause. */
export type QuestionReading<Own extends Claim = Claim> =
  | { readonly type: 'claim'; readonly claim: Own }
  /** The question is open to two readings, so no other verifier is asked. */
  | { readonly type: 'unclear'; readonly why: string }
  /** The verifier does not read such questions; the next one is asked. */
  | { readonly type: 'other'; readonly why: string }

/** What a verifier judges. It holds neither the known answer nor the plan's own words. */
export interface Case<Own extends Claim = Claim> {
  readonly task: Omit<Task, 'goldAnswer'>
  readonly claim: Own
  /** What the plan's actions gave in this round. */
  readonly ran: readonly Evidence[]
  /** The answer that they give by themselves, such as a number or a date. */
  readonly answer: string | null
  /** From which metric on a graded answer passes: `verifier_thresholds` of its name, else 1. */
  readonly threshold: number
}

/**
 * Checks the answers to one kind of question. A verifier is pure: it reads the question apart from
 * any plan, says which tool calls it needs, and judges by their outcomes. The runtime makes the
 * calls, meters them as `checks` and journals them, so a verifier works in resumed runs too. It must
 * not throw.
 */
export interface Verifier<Own extends Claim = Claim> {
  /** Unique; the `kind` of its claims in states and journals, so it must not change. */
  readonly name: string
  /** The tools that its checks call. */
  readonly tools: readonly string[]
  /** Reads what a question asks, or says why it does not. */
  read(question: Question): QuestionReading<Own>
  /**
   * The tool calls that it needs before it can judge: none where the evidence is enough. An `id` is
   * unique among them.
   */
  checks(one: Case<Own>): readonly ToolCall[]
  /**
   * What the evidence proves: verified, refuted, or not checked.
   * @param checked the outcomes of `checks`, in their order
   */
  judge(one: Case<Own>, checked: readonly ToolOutcome[]): Verdict
  /** Whether a stored claim of its kind is complete, so that a run can go on with it. */
  isClaim(stored: unknown): boolean
  /** Whether the question asks for what does not exist, so that no other plan can answer it. */
  hasNoAnswer?(question: string): boolean
  /**
   * How its answers relate to a known answer. `equal`, the default: the known answer alone decides.
   * `contained`: the answer is a report that has to pass, and to hold the known answer.
   */
  readonly knownAnswer?: 'equal' | 'contained'
}
