import type { Direct } from '../core/agent/observation.ts'
import type { Sampling } from '../core/agent/effect.ts'
import type { Thread } from '../core/message/thread.ts'
import type { ToolCall } from '../core/tool/tool-call.ts'
import type { JsonObject } from '../core/value/json.ts'
import type { Attempt } from './answer.ts'

/** A model call that a verifier asks for. The caller binds the role to a model. */
export interface AskModel {
  readonly type: 'generate'
  /** `small` is the model that answered; `opinion`, `judge` and others are bound by the caller. */
  readonly role: string
  readonly messages: Thread
  /** Names of the task's tools that the model is offered; default none. */
  readonly tools?: readonly string[]
  /** JSON Schema that the answer must match. */
  readonly schema?: JsonObject
  /** Maximum tokens of the answer. */
  readonly maxTokens: number
  readonly sampling?: Sampling
}

/** Tool calls that a verifier asks for. */
export interface AskTools {
  readonly type: 'call-tools'
  readonly calls: readonly ToolCall[]
}

export type VerifierEffect = AskModel | AskTools

/** The observation of an effect, as the runtime reports it: an answer, outcomes, a refusal or a failure. */
export type Observed = Extract<
  Direct,
  { type: 'generated' | 'tools-called' | 'refused' | 'failed' }
>

/** The findings of a verifier. */
export interface Judgment {
  /**
   * `proved`: nothing but the right answer could pass this check. `refuted`: the answer is wrong, or is
   * missing. `scored`: the evidence makes it more or less likely. `silent`: the verifier has nothing to say
   * about such a task, and does not count.
   */
  readonly verdict: 'proved' | 'refuted' | 'scored' | 'silent'
  /** 0 to 1: how likely the answer is right by this evidence. 1 if proved, 0 if refuted; ½ if silent. */
  readonly score: number
  /** Named evidence for a calibrated score, such as `steps.wrong`; finite numbers, the same names each time. */
  readonly features: Readonly<Record<string, number>>
  /**
   * Why, in one clause, for people and for the next model. It never holds the verifier's own value: a
   * model that reads a value copies it, right or wrong.
   */
  readonly reason: string
}

/** A request for effects. The verifier is asked again once they were performed. */
export interface Request {
  readonly verdict: 'ask'
  /** Performed at once where possible; at least one. */
  readonly effects: readonly VerifierEffect[]
}

/**
 * Judges answers. A verifier is pure: it returns a judgment, or asks for effects that the runtime performs,
 * meters and journals, and is then called again with all that it has observed. So it works in resumed and
 * replayed runs. It is never shown the right answer or a bigger model's, and must not throw.
 */
export interface Verifier {
  /** Unique among the verifiers of a gate. The names of its features start with it and a dot. */
  readonly name: string
  /** The names of all its features, so that a fitted score can be checked against its verifiers. */
  readonly features: readonly string[]
  /**
   * Judges an attempt, or asks for effects.
   * @param observed one for each effect that it asked for in this attempt so far, in order
   */
  verify(attempt: Attempt, observed: readonly Observed[]): Judgment | Request
}

/** A judgment that the answer is right. */
export const proved = (reason: string, features: Judgment['features'] = {}): Judgment => ({
  verdict: 'proved',
  score: 1,
  features,
  reason,
})

/** A judgment that the answer is wrong, or that the text holds no answer. */
export const refuted = (reason: string, features: Judgment['features'] = {}): Judgment => ({
  verdict: 'refuted',
  score: 0,
  features,
  reason,
})

/** A judgment by evidence that proves nothing; `score` from 0 to 1. */
export const scored = (
  score: number,
  reason: string,
  features: Judgment['features'] = {},
): Judgment => ({ verdict: 'scored', score, features, reason })

/** The judgment of a verifier that does not apply to the task. */
export const silent = (reason: string, features: Judgment['features'] = {}): Judgment => ({
  verdict: 'silent',
  score: 0.5,
  features,
  reason,
})
