import { calledModel } from '../../core/model/called-model.ts'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareContext, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import { FALLS_BACK_ON } from '../../core/model/falls-back-on.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed, Generated } from '../../core/agent/observation.ts'
import { attemptOf } from '../../verify/attempt-of.ts'
import type { Wanted } from '../../verify/answer.ts'
import { checkGate, type Ruling } from '../../verify/gate.ts'
import { promotionNote, promotionText } from '../../verify/promotion-note.ts'
import { ruleOn, type VerifiedGate } from '../../verify/rule-on.ts'
import { isWhole, toCachedAnswer, sayAgain } from '../cache/cached-answer.ts'
import { type Known, knownOptions } from '../option-check.ts'
import { abortedCall, signalOf } from '../reliability/given-up.ts'
import { CASCADE_STATE, cascadedAnswer, type CascadeState, withAnswer } from './cascade-state.ts'
import { Spent, type Wire } from './spent.ts'
import { performFor } from './verifier-effects.ts'

export interface CascadeOptions extends VerifiedGate {
  /**
   * Models of the roles that the verifier asks, such as `{ opinion: 'openai/gpt-5-nano' }`. `small` is the
   * model that answered. A role without a model fails, and the verifier is told so.
   */
  readonly ask?: Readonly<Record<string, string | BoundModel>>
  /**
   * Which parts of an answer are streamed while it may still be promoted. `accepted` (the default): nothing until it is
   * accepted. `draft`: all of it at once; if it is promoted, `text-drop` takes it back.
   */
  readonly show?: 'accepted' | 'draft'
  /** The kind of an answer in words. Default: JSON where the call has a schema, else text. */
  readonly wanted?: Wanted
  /** Whether the next model is told why the answer before was not accepted. Default true. */
  readonly passEvidence?: boolean
}

/**
 * Begins each model call on the smallest model and promotes it only if the evidence does not support the
 * answer: `cascade(['openai/gpt-5-nano', 'openai/gpt-5'], { verify, accept: 0.8 })`. Only these
 * models answer, the smallest first; the agent's own is used only if it is in the list. Text, JSON and tool
 * calls are judged before they are shown, stored or made. A failure and an answer that is cut off or empty
 * are promoted too; refused content is not. The last model's answer is always accepted; it is judged, unless
 * that takes further calls, so that its status is known.
 *
 * Each call is metered on its own: drafts, promotions, and what the verifier asks for. If the budget refuses
 * a promotion, the call is refused; an answer that was not accepted is never returned in its place. The
 * outcome has the tokens and the cost of all calls. Emits `promoted`, with what the next model is told,
 * and `answered`, both with the threshold. State, of the run: counts by status, and the last answer. On
 * resume, an answer on record is not requested again; a call that a crash interrupted starts over on the
 * smallest model, and what was in flight is charged at its worst case.
 * @throws EchelonError INVALID_CONFIG for fewer than two models, or options that cannot work
 */
export function cascade(
  models: readonly (string | BoundModel)[],
  options: CascadeOptions,
): Middleware<'cascade', CascadeState> {
  check(models, options)
  return defineMiddleware({
    name: 'cascade',
    namespace: 'echelon',
    state: CASCADE_STATE,
    generate: (call, next, context) => new Climb({ models, options, call, next, context }).climb(),
  })()
}

interface Climbing {
  readonly models: readonly (string | BoundModel)[]
  readonly options: CascadeOptions
  readonly call: ModelCall
  readonly next: Wire
  readonly context: MiddlewareContext<CascadeState>
}

/** One model call on its way up. */
class Climb {
  readonly #given: Climbing
  readonly #spent: Spent
  /** Why the last answer was not accepted; for the next model. */
  #evidence: string | undefined
  #promotions = 0

  constructor(given: Climbing) {
    this.#given = given
    this.#spent = new Spent(given.next)
  }

  async climb(): Promise<ModelOutcome> {
    const { models, call, context } = this.#given
    const last = models.length - 1
    for (const [index, model] of models.entries()) {
      if (signalOf(call, context.run).aborted) return abortedCall(this.#spent.calls)
      const isLast = index === last
      const heard: string[] = []
      const asked = this.#asked(model, isLast ? undefined : heard)
      const outcome = await this.#spent.call(asked)
      if (outcome.type === 'generated') {
        const ruling = await this.#rule(model, outcome, isLast)
        if (isLast || ruling.decision === 'accept') return this.#done(outcome, ruling, heard)
        if (signalOf(call, context.run).aborted) return abortedCall(this.#spent.calls)
        this.#evidence = ruling.evidence
        this.#promote(calledModel(asked), models[index + 1], ruling)
      } else if (isLast || outcome.type === 'refused' || !isPromoted(outcome)) {
        return outcome
      } else {
        this.#promote(calledModel(asked), models[index + 1], failure(outcome))
      }
    }
    return abortedCall(this.#spent.calls)
  }

  /** @param heard collects the text that must not be shown yet */
  #asked(model: string | BoundModel, heard: string[] | undefined): ModelCall {
    const { call, options } = this.#given
    const { head, thread, tail } = call.prompt
    const evidence = this.#told()
    const prompt =
      evidence === undefined
        ? call.prompt
        : { head, thread, tail: [...tail, promotionNote(evidence)] }
    const isHeld = heard !== undefined && options.show !== 'draft' && call.onText !== undefined
    return {
      ...call,
      prompt,
      model,
      ...(isHeld && { onText: (delta: string) => void heard.push(delta) }),
    }
  }

  /** The evidence that the next model is told. */
  #told(): string | undefined {
    return this.#given.options.passEvidence === false ? undefined : this.#evidence
  }

  async #rule(model: string | BoundModel, answer: Generated, isLast: boolean): Promise<Ruling> {
    const { call, options, context } = this.#given
    if (answer.finish === 'filter') return WITHHELD
    if (!isWhole(answer)) return NOT_WHOLE
    if (answer.text.trim() === '' && answer.calls.length === 0) return EMPTY
    const { head, thread, tail } = call.prompt
    const tools = (call.tools ?? []).flatMap((name) => context.run.tool(name) ?? [])
    const { schema } = call
    const { wanted, ask = {} } = options
    const asked = { messages: thread.toArray(), around: [...head, ...tail], tools, schema, wanted }
    const perform = performFor(call, this.#spent, { ...ask, small: ask['small'] ?? model })
    return ruleOn(attemptOf(asked, answer), options, isLast ? undefined : perform)
  }

  #promote(from: string, to: string | BoundModel | undefined, ruling: Ruling): void {
    const { call, options, context } = this.#given
    const { model: _, promotions: __, ...why } = cascadedAnswer(from, ruling, 0)
    const evidence = this.#told()
    this.#promotions++
    context.update((state) => ({ ...state, promotions: state.promotions + 1 }))
    context.emit('promoted', {
      from,
      to: calledModel({ ...call, ...(to && { model: to }) }),
      ...why,
      accept: options.accept,
      told: evidence === undefined ? null : promotionText(evidence),
    })
  }

  #done(answer: Generated, ruling: Ruling, heard: readonly string[]): Generated {
    const { call, options, context } = this.#given
    const told = cascadedAnswer(answer.model, ruling, this.#promotions)
    context.update((state) => withAnswer(state, told))
    context.emit('answered', { ...told, accept: options.accept })
    const isHeld = heard.length > 0 && call.onText !== undefined
    if (isHeld) sayAgain(toCachedAnswer(answer, heard), call.onText)
    return this.#spent.with(answer)
  }
}

const unsupported = (evidence: string): Ruling => ({
  decision: 'promote',
  status: 'unsupported',
  confidence: 0,
  evidence,
})

/** Refused content is not tried with other models. */
const WITHHELD: Ruling = {
  decision: 'accept',
  status: 'unchecked',
  confidence: null,
  evidence: 'the provider withheld the answer',
}
const NOT_WHOLE = unsupported('the answer was cut off')
const EMPTY = unsupported('the answer is empty')

const isPromoted = ({ error }: Failed): boolean => FALLS_BACK_ON.includes(error.code)

const failure = ({ error }: Failed): Ruling => ({
  decision: 'promote',
  status: 'unchecked',
  confidence: null,
  evidence: `the model gave no answer (${error.code})`,
})

const OPTIONS: Known<CascadeOptions> = {
  verify: true,
  accept: true,
  unchecked: ['promote', 'accept'],
  ask: true,
  show: ['accepted', 'draft'],
  wanted: true,
  passEvidence: true,
}

function check(models: readonly (string | BoundModel)[], options: CascadeOptions): void {
  knownOptions('cascade', options, OPTIONS)
  checkGate('cascade', options)
  if (models.length >= 2 && !models.includes('')) return
  throw new EchelonError(
    'INVALID_CONFIG',
    'cascade: name at least two models, the smallest first; the last one answers if no smaller one can',
  )
}
