import { pause, within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { MiddlewareRun, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed, Generated } from '../../core/agent/observation.ts'
import { signalOf } from '../reliability/given-up.ts'
import { toCachedAnswer, sayAgain } from '../cache/cached-answer.ts'

/** A call that is sent to several models. */
export interface Contest {
  readonly call: ModelCall
  readonly next: (call: ModelCall) => Promise<ModelOutcome>
  readonly run: MiddlewareRun
}

/** One of the models that get the same call; its text is shown only if it wins. */
export class Contender {
  readonly model: string
  /** Settles with the call; rejects with errors that end the run. */
  readonly ended: Promise<void>
  readonly #own = new AbortController()
  readonly #heard: string[] = []
  #outcome: ModelOutcome | undefined
  #isOver = false
  #ending: EchelonError | undefined

  /** @param model undefined for the model that the call is for */
  constructor(model: string | BoundModel | undefined, { call, next, run }: Contest) {
    const signal = AbortSignal.any([signalOf(call, run), this.#own.signal])
    const asked: ModelCall = {
      ...call,
      signal,
      ...(model !== undefined && { model }),
      ...(call.onText !== undefined && { onText: (delta) => void this.#heard.push(delta) }),
    }
    this.model = calledModel(asked)
    this.ended = this.#end(asked, next)
    // A loser's text is discarded.
    this.ended.catch(() => undefined)
  }

  /** Its outcome; undefined while it is running. */
  get outcome(): ModelOutcome | undefined {
    return this.#outcome
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The error that ends the run, if it had one. */
  get ending(): EchelonError | undefined {
    return this.#ending
  }

  /** Its answer, if any. */
  get answer(): Generated | undefined {
    return this.#outcome?.type === 'generated' ? this.#outcome : undefined
  }

  giveUp(): void {
    this.#own.abort()
  }

  /** Streams its answer to the listeners, in its original pieces. */
  speak(answer: Generated, onText: ModelCall['onText']): void {
    if (onText !== undefined) sayAgain(toCachedAnswer(answer, this.#heard), onText)
  }

  async #end(asked: ModelCall, next: Contest['next']): Promise<void> {
    try {
      this.#outcome = await next(asked)
    } catch (error) {
      if (error instanceof EchelonError) {
        this.#ending = error
        throw error
      }
      this.#outcome = failedBy(error)
    } finally {
      this.#isOver = true
    }
  }
}

const failedBy = (error: unknown): Failed => ({
  type: 'failed',
  error: {
    code: 'unknown',
    message: `a middleware failed: ${error instanceof Error ? error.message : String(error)}`,
    retryable: false,
    attempts: 1,
  },
})

/** Time to wait for aborted calls to settle, in milliseconds; a few are enough. */
const SETTLING_MS = 1000

/** The models that get the same call, in order. */
export class Contenders {
  readonly #contest: Contest
  readonly #waiting: (string | BoundModel | undefined)[]
  readonly #asked: Contender[] = []
  #askedAt = 0

  constructor(models: readonly (string | BoundModel | undefined)[], contest: Contest) {
    this.#waiting = [...models]
    this.#contest = contest
  }

  /** Those that were called so far. */
  get asked(): readonly Contender[] {
    return this.#asked
  }

  get open(): readonly Contender[] {
    return this.#asked.filter(({ isOver }) => !isOver)
  }

  /**
   * Whether another answer is possible.
   * @throws EchelonError that ends the run, even if another model has answered at the same time
   */
  get areMoreToCome(): boolean {
    for (const { ending } of this.#asked) if (ending !== undefined) throw ending
    return this.open.length > 0
  }

  /** Whether the call was canceled. */
  get isGivenUp(): boolean {
    const { call, run } = this.#contest
    return signalOf(call, run).aborted || run.msLeft <= 0
  }

  /** @returns whether one was left to call and the call was not canceled */
  askNext(): boolean {
    if (this.#waiting.length === 0 || this.isGivenUp) return false
    this.#asked.push(new Contender(this.#waiting.shift(), this.#contest))
    this.#askedAt = this.#contest.run.clock.now()
    return true
  }

  /** Calls all that are left, at once. */
  askAll(): void {
    while (this.askNext());
  }

  /**
   * Waits until a running call ends, or so many milliseconds have passed since the last one was started.
   * @returns whether the time has passed and another model can be called
   */
  async wait(afterMs: number): Promise<boolean> {
    const { run } = this.#contest
    const due = this.#waiting.length === 0 ? Infinity : this.#askedAt + afterMs - run.clock.now()
    const done = new AbortController()
    const ended = Promise.race(this.open.map((one) => one.ended)).then(() => false)
    try {
      return await Promise.race([ended, pause(run.clock, due, done.signal).then(() => true)])
    } finally {
      done.abort()
    }
  }

  /** Aborts running calls, and resolves once they have settled. */
  async giveUp(): Promise<void> {
    const { open } = this
    if (open.length === 0) return
    for (const one of open) one.giveUp()
    const settled = Promise.allSettled(open.map((one) => one.ended))
    await within(this.#contest.run.clock, SETTLING_MS, settled)
  }
}
