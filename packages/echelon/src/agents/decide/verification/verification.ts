import { EchelonError } from '../../../core/value/error.ts'
import type { ToolCall, ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence, Task } from '../state.ts'
import { notCheckable } from '../plan/uncheckable.ts'
import { type Claim, isUnknown } from './claim.ts'
import { lastAnswer, lastFailure, setupFault } from './evidence.ts'
import { ANSWER_TOOLS, judgeKnownAnswer, knownAnswerChecks } from './known-answer.ts'
import { readClaim } from './read-claim.ts'
import { unproved, type Verdict } from './verdict.ts'
import type { Case, Question, Verifier } from './verifier.ts'

/** A round to judge. It holds none of the plan's own words. */
export interface Round {
  readonly task: Task
  /** The meaning of the question, read apart from any plan. */
  readonly claim: Claim
  /** The results of the plan's actions in this round. */
  readonly ran: readonly Evidence[]
  /** By verifier name: the minimum metric for a graded answer to pass. */
  readonly thresholds: Readonly<Record<string, number>>
}

/** Verifies with a list of verifiers, or with the known answer if there is one. Pure. */
export class Verification {
  readonly #verifiers: readonly Verifier[]
  /** The tools that a check may call. */
  readonly tools: readonly string[]

  /** @throws EchelonError INVALID_CONFIG if two verifiers have one name */
  constructor(verifiers: readonly Verifier[]) {
    const names = ['unknown', ...verifiers.map(({ name }) => name)]
    const taken = names.find((name, at) => names.indexOf(name) !== at)
    if (taken !== undefined) {
      const message = `two verifiers are named ${taken}; give each a name of its own, other than unknown`
      throw new EchelonError('INVALID_CONFIG', message)
    }
    this.#verifiers = verifiers
    this.tools = [...new Set([...verifiers.flatMap(({ tools }) => tools), ...ANSWER_TOOLS])]
  }

  /** Reads the meaning of a question, apart from any plan. */
  read(question: Question): Claim {
    return readClaim(this.#verifiers, question)
  }

  /** Whether a stored claim belongs to one of these verifiers. */
  isClaim(stored: Claim): boolean {
    return isUnknown(stored)
      ? typeof stored.why === 'string'
      : this.#verifierOf(stored)?.isClaim(stored) === true
  }

  /**
   * The calls to recompute before the round can be judged. A tool's output proves nothing about the plan that
   * called it.
   */
  checks(round: Round): readonly ToolCall[] {
    const verifier = this.#verifierOf(round.claim)
    const known = knownAnswerOf(round, verifier)
    if (known !== null) return knownAnswerChecks(round, known)
    return verifier?.checks(caseOf(round)) ?? []
  }

  /** Judges a round by its evidence and the recomputed calls. */
  judge(round: Round, checked: readonly ToolOutcome[]): Verdict {
    const verdict = this.#judge(round, checked)
    const fault = setupFault([...round.ran.map(({ outcome }) => outcome), ...checked])
    if (verdict.passed || fault === undefined || round.task.rules === 1) return verdict
    return { ...verdict, reason: fault, forPerson: fault, blocked: true }
  }

  #judge(round: Round, checked: readonly ToolOutcome[]): Verdict {
    const { task, claim, ran } = round
    const missing = task.expectedTools.find((tool) => !hasResult(ran, tool))
    if (missing !== undefined) {
      return unproved(lastAnswer(ran), `the answer must rest on ${missing}, which gave no result`)
    }
    const verifier = this.#verifierOf(claim)
    const known = knownAnswerOf(round, verifier)
    if (known !== null) return judgeKnownAnswer(round, known, checked)
    if (verifier !== undefined) {
      return holding(task.goldAnswer, verifier.judge(caseOf(round), checked))
    }
    return this.#judgeUnknown(round, isUnknown(claim) ? claim.why : `${claim.kind} has no verifier`)
  }

  /** No verifier can check the answer. If a value of the question made its tools fail, no bigger model can help. */
  #judgeUnknown({ task, ran }: Round, why: string): Verdict {
    const answer = lastAnswer(ran)
    const failure = lastFailure(ran)
    const verdict = unproved(answer, failure?.message ?? notCheckable(why))
    if (answer !== null) return { ...verdict, uncheckable: true }
    const isAsked = this.#verifiers.some((one) => one.hasNoAnswer?.(task.input) === true)
    return failure?.fault === 'value' && isAsked ? { ...verdict, blocked: true } : verdict
  }

  #verifierOf({ kind }: Claim): Verifier | undefined {
    return this.#verifiers.find(({ name }) => name === kind)
  }
}

/** A verifier does not see the known answer, which would prove nothing about the question. */
function caseOf({ task, claim, ran, thresholds }: Round): Case {
  const { goldAnswer: _, ...asked } = task
  const threshold = thresholds[claim.kind] ?? 1
  return { task: asked, claim, ran, answer: lastAnswer(ran), threshold }
}

/** The known answer, if it decides alone. */
const knownAnswerOf = ({ task }: Round, verifier: Verifier | undefined): string | null =>
  verifier?.knownAnswer === 'contained' ? null : task.goldAnswer

/** A report passes only if it holds the known answer. */
function holding(known: string | null, verdict: Verdict): Verdict {
  if (known === null || !verdict.passed || verdict.answer?.includes(known.trim()) === true) {
    return verdict
  }
  const reason = `the report does not hold the known answer; ${verdict.reason}`
  return { ...verdict, passed: false, checked: 'refuted', reason }
}

const hasResult = (ran: readonly Evidence[], tool: string): boolean =>
  ran.some(({ call, outcome }) => call.tool === tool && outcome.type === 'ok')
