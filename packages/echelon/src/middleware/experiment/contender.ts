import { pause, within } from '../../core/value/abortable.ts'
import { calledModel } from '../../core/model/called-model.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { MiddlewareHost, ModelCall, ModelOutcome } from '../../core/extension/middleware.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Failed, Generated } from '../../core/agent/observation.ts'
import { signalOf } from '../reliability/given-up.ts'
import { keptAnswer, sayAgain } from '../cache/kept-answer.ts'

/** A call that several models are asked. */
export interface Contest {
  readonly call: ModelCall
  readonly next: (call: ModelCall) => Promise<ModelOutcome>
  readonly run: MiddlewareHost
}

/** One of several models that are asked the same: heard by nobody until it has won. */
export class Contender {
  readonly model: string
  /** Ends with the call; rejects with what ends a run. */
  readonly ended: Promise<void>
  readonly #own = new AbortController()
  readonly #heard: string[] = []
  #outcome: ModelOutcome | undefined
  #isOver = false
  #ending: EchelonError | undefined

  /** @param model nothing for the one that the call is for */
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
    // Of one that lost nobody hears any more.
    this.ended.catch(() => undefined)
  }

  /** What came of it; nothing while it is under way. */
  get outcome(): ModelOutcome | undefined {
    return this.#outcome
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** What ends the run, if it met with that. */
  get ending(): EchelonError | undefined {
    return this.#ending
  }

  /** What it said, if it said anything. */
  get answer(): Generated | undefined {
    return this.#outcome?.type === 'generated' ? this.#outcome : undefined
  }

  giveUp(): void {
    this.#own.abort()
  }

  /** Says its answer to whoever listens, in the pieces it came in. */
  speak(answer: Generated, onText: ModelCall['onText']): void {
    if (onText !== undefined) sayAgain(keptAnswer(answer, this.#heard), onText)
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

/** Until what was given up is left behind, in milliseconds: settling is a matter of a few. */
const SETTLING_MS = 1000

/** Those who are asked the same, in their order. */
export class Contenders {
  readonly #contest: Contest
  readonly #waiting: (string | BoundModel | undefined)[]
  readonly #asked: Contender[] = []
  #askedAt = 0

  constructor(models: readonly (string | BoundModel | undefined)[], contest: Contest) {
    this.#waiting = [...models]
    this.#contest = contest
  }

  /** Those who were asked so far. */
  get asked(): readonly Contender[] {
    return this.#asked
  }

  get open(): readonly Contender[] {
    return this.#asked.filter(({ isOver }) => !isOver)
  }

  /**
   * Whether somebody may still answer.
   * @throws EchelonError what ends the run, though another may have answered in the same moment
   */
  get areMoreToCome(): boolean {
    for (const { ending } of this.#asked) if (ending !== undefined) throw ending
    return this.open.length > 0
  }

  /** Whether nobody waits for an answer any more. */
  get isGivenUp(): boolean {
    const { call, run } = this.#contest
    return signalOf(call, run).aborted || run.msLeft <= 0
  }

  /** @returns whether there was one, and it was not too late to ask */
  askNext(): boolean {
    if (this.#waiting.length === 0 || this.isGivenUp) return false
    this.#asked.push(new Contender(this.#waiting.shift(), this.#contest))
    this.#askedAt = this.#contest.run.clock.now()
    return true
  }

  /** All who are left, at once. */
  askAll(): void {
    while (this.askNext());
  }

  /**
   * Until one of those under way ends, or so many milliseconds have passed since one was asked last.
   * @returns whether the time has passed, and there is somebody to ask
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

  /** Gives up who is under way; they are settled when this is over. */
  async giveUp(): Promise<void> {
    const { open } = this
    if (open.length === 0) return
    for (const one of open) one.giveUp()
    const settled = Promise.allSettled(open.map((one) => one.ended))
    await within(this.#contest.run.clock, SETTLING_MS, settled)
  }
}
