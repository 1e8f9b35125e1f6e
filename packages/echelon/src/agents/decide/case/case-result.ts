import type { Artifact } from '../../../core/tool/artifact.ts'
import type { Amounts } from '../../../core/agent/budget.ts'
import type { Problem } from '../../../core/model/problem.ts'
import type { Redactor } from '../../../core/redaction/redaction.ts'
import type { LogEntry } from './log.ts'
import { describeFailure } from '../../../core/model/model-failed.ts'
import { MODEL_FAILED } from '../plan/model-failure.ts'
import type { AskedRole, Rung } from '../settings/modes.ts'
import type { DecideResult, Evidence, FinishReason, Loop } from '../state.ts'
import { withoutNotCheckable } from '../plan/uncheckable.ts'
import type { Checked } from '../verification/verdict.ts'

/** Tokens and money of one tier or rung. `cost` is US dollars, null where a price is unknown. */
export interface TierUsage {
  /** Calls that reported no plausible usage and were charged at the worst case; absent if there were none. */
  readonly assumed_calls?: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cost: number | null
}

/** A file that the run made, as an A2A artifact. */
export interface CaseArtifact {
  readonly artifactId: string
  readonly name: string
  readonly parts: readonly [
    {
      readonly kind: 'file'
      readonly file: { readonly name: string; readonly mimeType: string; readonly uri: string }
    },
  ]
  readonly metadata: {
    readonly bytes: number
    readonly sha256: string
    readonly width: number | null
    readonly height: number | null
  }
}

export interface Counters {
  readonly llm_calls_small: number
  readonly llm_calls_big: number
  readonly tool_calls: number
  readonly act_steps: number
}

/** The result of a case. */
export interface CaseResult {
  readonly run_id: string
  /** For the caller; not redacted. */
  readonly answer: string | null
  /**
   * Whether the answer was checked: `verified` is proved; `supported` and `unsupported` were scored by the gate and
   * are not proof; `refuted` was checked and found wrong or incomplete; `not_checked` was not checked at all. A case
   * without an answer is `not_checked`.
   */
  readonly checked: Checked
  /** Probability, by its evidence, that the answer is right, 0 to 1; `null` where no gate scored it. */
  readonly confidence: number | null
  /** Whether the answer is proved; only then `finish_reason` is success. */
  readonly verified: boolean
  readonly finish_reason: FinishReason
  /** The limit that ended the run, if any. */
  readonly limit: string | null
  /** One sentence for a person: how the answer was proved, or why there is no answer. Redacted. */
  readonly explanation: string
  /** Why no model could be asked; `null` if one answered. Redacted. */
  readonly problem: Problem | null
  readonly logs: readonly LogEntry[]
  readonly artifacts: Readonly<Record<string, CaseArtifact>>
  readonly counters: Counters
  readonly token_usage: {
    readonly small_model: TierUsage
    readonly big_model: TierUsage
    readonly total_tokens: number
  }
  /** US dollars in total; null where a price is unknown. */
  readonly cost: number | null
  readonly rungs: readonly ({ readonly model: string; readonly llm_calls: number } & TierUsage)[]
  /** Usage of the models that verifiers called, beside the ladder; `total_tokens` and `cost` hold it. */
  readonly opinions: readonly ({
    readonly role: string
    readonly model: string
    readonly llm_calls: number
  } & TierUsage)[]
}

interface Ended {
  readonly runId: string
  readonly end: DecideResult
  readonly spent: Amounts
  readonly rungs: readonly Rung[]
  readonly asked: readonly AskedRole[]
  readonly logs: readonly LogEntry[]
  readonly redact: Redactor
  /** Set when no model could be asked. Default `null`. */
  readonly problem?: Problem | null
}

export function caseResult(ended: Ended): CaseResult {
  const { runId, end, spent, rungs, asked, logs, redact, problem = null } = ended
  const usage = rungs.map((rung) => usageOf(rung, spent))
  const small = sumUsage(usage.slice(0, 1))
  const big = sumUsage(usage.slice(1))
  const opinions = asked.map(({ role, model }) => ({
    role,
    model,
    llm_calls: spent[`calls.${role}`] ?? 0,
    ...usageOf({ role }, spent),
  }))
  const all = sumUsage([...usage, ...opinions])
  return {
    run_id: runId,
    answer: end.loop.answer,
    checked: checkedOf(end),
    confidence: end.loop.answer === null ? null : (end.loop.confidence ?? null),
    verified: end.verified,
    finish_reason: end.reason,
    limit: end.limit,
    explanation: redact(explain(end, problem)),
    problem: problem && { ...problem, message: redact(problem.message) },
    logs,
    artifacts: artifactsOf(end.loop.evidence),
    counters: countersOf(rungs, spent, end.loop),
    token_usage: {
      small_model: small,
      big_model: big,
      total_tokens: all.prompt_tokens + all.completion_tokens,
    },
    cost: all.cost,
    rungs: rungs.map((rung, index) => ({
      model: rung.model,
      llm_calls: spent[`calls.${rung.role}`] ?? 0,
      ...sumUsage(usage.slice(index, index + 1)),
    })),
    opinions,
  }
}

/** Whether the answer of a run was checked. */
export const checkedOf = ({ verified, loop }: Pick<DecideResult, 'verified' | 'loop'>): Checked =>
  verified ? 'verified' : loop.answer === null ? 'not_checked' : loop.checked

/** The first rung counts as small; all others add up to big. */
export function countersOf(
  rungs: readonly Rung[],
  spent: Amounts,
  { actSteps }: Pick<Loop, 'actSteps'>,
): Counters {
  const calls = rungs.map(({ role }) => spent[`calls.${role}`] ?? 0)
  return {
    llm_calls_small: calls[0] ?? 0,
    llm_calls_big: calls.slice(1).reduce((sum, count) => sum + count, 0),
    tool_calls: spent['tools'] ?? 0,
    act_steps: actSteps,
  }
}

function usageOf({ role }: Pick<Rung, 'role'>, spent: Amounts): TierUsage {
  const assumed = spent[`assumed.${role}`] ?? 0
  return {
    prompt_tokens: spent[`input.${role}`] ?? 0,
    completion_tokens: spent[`output.${role}`] ?? 0,
    cost: (spent[`unpriced.${role}`] ?? 0) > 0 ? null : (spent[`money.${role}`] ?? 0),
    ...(assumed > 0 && { assumed_calls: assumed }),
  }
}

function sumUsage(tiers: readonly TierUsage[]): TierUsage {
  const assumed = tiers.reduce((sum, { assumed_calls = 0 }) => sum + assumed_calls, 0)
  return tiers.reduce<TierUsage>(
    (sum, tier) => ({
      ...sum,
      prompt_tokens: sum.prompt_tokens + tier.prompt_tokens,
      completion_tokens: sum.completion_tokens + tier.completion_tokens,
      cost: sum.cost === null || tier.cost === null ? null : sum.cost + tier.cost,
    }),
    {
      prompt_tokens: 0,
      completion_tokens: 0,
      cost: 0,
      ...(assumed > 0 && { assumed_calls: assumed }),
    },
  )
}

/** The files of all rounds by name. */
export function artifactsOf(evidence: readonly Evidence[]): Readonly<Record<string, CaseArtifact>> {
  const files = evidence.flatMap(({ outcome }) =>
    outcome.type === 'ok' ? (outcome.artifacts ?? []) : [],
  )
  return Object.fromEntries(files.map((file) => [file.name, toCaseArtifact(file)]))
}

function toCaseArtifact({ name, path, mediaType, bytes, sha256, image }: Artifact): CaseArtifact {
  const uri = new URL(`file://${path.split('/').map(encodeURIComponent).join('/')}`).href
  return {
    artifactId: sha256,
    name,
    parts: [{ kind: 'file', file: { name, mimeType: mediaType, uri } }],
    metadata: { bytes, sha256, width: image?.width ?? null, height: image?.height ?? null },
  }
}

function explain({ reason, limit, loop }: DecideResult, problem: Problem | null): string {
  if (problem?.alsoFailed !== undefined)
    return sentence(notVerified(loop, describeFailure(problem)))
  const why = loop.failure?.forPerson ?? loop.failure?.reason ?? 'nothing was tried'
  switch (reason) {
    case 'success':
      return sentence(`Verified: ${why}`)
    case 'supported':
      return sentence(`Supported, not proved${ofConfidence(loop)}: ${why}`)
    case 'canceled':
      return sentence('Canceled; this is what there was')
    case 'budget':
      if (/^the (?:limit|price) of /.test(why)) return sentence(`Stopped: ${why}`)
      // The fix concerns the model; the limit only prevented another try.
      return isModelFailure(loop.failure)
        ? `${sentence(why)} The limit of ${limit} allows no other try.`
        : sentence(`Stopped at the limit of ${limit}: ${why}`)
    case 'big_fail':
      return loop.checked === 'unsupported'
        ? sentence(`Not supported${ofConfidence(loop)}: ${why}`)
        : sentence(notVerified(loop, why))
    case 'unchecked':
      return sentence(withoutCheck(loop, why))
    case 'blocked':
      return sentence(`No model can fix this: ${why}`)
  }
}

const notVerified = ({ answer }: Loop, why: string): string =>
  `${answer === null ? 'No answer' : 'Not verified'}: ${why}`

const ofConfidence = ({ confidence = null }: Loop): string =>
  confidence === null ? '' : ` (confidence ${confidence.toFixed(2)})`

function withoutCheck({ task, answer }: Loop, why: string): string {
  if (answer !== null) return `Not checked: ${withoutNotCheckable(why)}`
  return task.unchecked === 'refuse'
    ? `Refused: ${why}; with unchecked set to answer, the small model answers it`
    : `No answer: ${why}`
}

const isModelFailure = (failure: Loop['failure']): boolean =>
  failure?.reason.startsWith(MODEL_FAILED) === true

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
