import type { JSONObject, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Ruling } from '../verify/gate.ts'
import { evidenceLine } from '../verify/promotion-note.ts'
import type { CascadeCall, CascadeReport } from './cascade-report.ts'
import type { CallCharged } from './metered-attempt.ts'

/** Adds up the calls of one answer. */
export class Bill {
  readonly #calls: CascadeCall[] = []
  #usage: LanguageModelV4Usage = NO_USAGE
  #cost: number | null = 0

  /**
   * @param purpose `answer`, or the role that a verifier asked
   * @param reported the usage as the model reported it
   */
  add(charged: CallCharged, purpose: string, reported?: LanguageModelV4Usage): void {
    const { model, usage, cost } = charged
    const tokens = usage === null ? null : { input: usage.input, output: usage.output }
    this.#calls.push({ model, purpose, usage: tokens, cost })
    this.#cost = this.#cost === null || cost === null ? null : this.#cost + cost
    if (usage !== null && reported !== undefined) this.#usage = sumOf(this.#usage, reported)
  }

  /** Tokens of all calls whose usage is known, as the AI SDK adds them up. */
  get usage(): LanguageModelV4Usage {
    return this.#usage
  }

  /** The cascade's metadata for an answer, beside the model's own. */
  metadata(
    own: SharedV4ProviderMetadata | undefined,
    { model, ruling, promotions }: AnsweredBy,
  ): SharedV4ProviderMetadata {
    const { status, confidence, evidence } = ruling
    const report: CascadeReport = {
      model,
      status,
      confidence,
      evidence: evidenceLine(evidence),
      promotions,
      cost: this.#cost,
      calls: this.#calls,
    }
    return { ...own, echelon: jsonOf(report) }
  }
}

// A report is plain JSON: an interface does not say so, and a spread of its fields does.
const jsonOf = ({ calls, ...report }: CascadeReport): JSONObject => ({
  ...report,
  calls: calls.map(({ usage, ...call }) => ({ ...call, usage: usage && { ...usage } })),
})

/** The model that gave an answer, and its evidence. */
export interface AnsweredBy {
  readonly model: string
  readonly ruling: Ruling
  readonly promotions: number
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function sumOf(a: LanguageModelV4Usage, b: LanguageModelV4Usage): LanguageModelV4Usage {
  return {
    inputTokens: {
      total: plus(a.inputTokens.total, b.inputTokens.total),
      noCache: plus(a.inputTokens.noCache, b.inputTokens.noCache),
      cacheRead: plus(a.inputTokens.cacheRead, b.inputTokens.cacheRead),
      cacheWrite: plus(a.inputTokens.cacheWrite, b.inputTokens.cacheWrite),
    },
    outputTokens: {
      total: plus(a.outputTokens.total, b.outputTokens.total),
      text: plus(a.outputTokens.text, b.outputTokens.text),
      reasoning: plus(a.outputTokens.reasoning, b.outputTokens.reasoning),
    },
  }
}

const plus = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
