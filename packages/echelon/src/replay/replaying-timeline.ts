import { EchelonError } from '../core/value/error.ts'
import type { Moment } from './line.ts'
import { Numbered, type Timeline } from './timeline.ts'

/** What is done to a run from outside. */
export type Act = Extract<Moment, { readonly kind: 'act' }>

/** Turns of the event loop that a reading of the clock is waited for. */
const PATIENT_TURNS = 20
/** Then one looks again so often, and so many times, before what waits goes on in another order. */
const LOOK_MS = 10
const LOOKS = 100

/**
 * The timeline of a recorded run: each thing comes in when it is its turn, at its recorded time, and
 * nobody waits for it.
 */
export class ReplayingTimeline implements Timeline {
  readonly #moments: readonly Moment[]
  readonly #left: Map<string, number>
  readonly #names = new Numbered()
  readonly #waiting = new Map<string, () => void>()
  /** Of those that wait, those that were left out before they came. */
  readonly #late: string[] = []
  /** Refusals of what never came in. */
  #given: (() => void)[] = []
  readonly #breaksOff: boolean
  /** Does an act to its run; false while the run cannot take it. */
  readonly #perform: (act: Act) => boolean
  #next = 0
  #now: number
  #isOpen = false
  #isTurning = false
  #idle = 0

  /** @param breaksOff whether the recording was interrupted */
  constructor(
    moments: readonly Moment[],
    {
      breaksOff,
      perform,
    }: { readonly breaksOff: boolean; readonly perform: (act: Act) => boolean },
  ) {
    this.#moments = moments
    this.#breaksOff = breaksOff
    this.#perform = perform
    this.#left = new Map(
      moments.flatMap(({ key }, index) => (key === undefined ? [] : [[key, index]])),
    )
    this.#now = moments[0]?.at ?? 0
  }

  now(): number {
    const moment = this.#moments[this.#next]
    if (!this.#isOpen && moment?.kind === 'time') this.#pass(moment)
    return this.#now
  }

  numbered(name: string): string {
    return this.#names.next(name)
  }

  settle<Value>(key: string, work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const failed = (error: unknown): void => {
        // What was not recorded has no turn.
        if (isUnrecorded(error)) reject(this.#told(error))
        else this.arrive(key, () => reject(error), reject)
      }
      work.then((value) => this.arrive(key, () => resolve(value), reject), failed)
    })
  }

  after(ms: number, callback: () => void): () => void {
    const key = this.numbered(`timer ${ms}`)
    // One that did not ring then does not ring now.
    if (this.#left.has(key)) this.#wait(key, callback)
    return () => void this.#waiting.delete(key)
  }

  /**
   * Something is ready to come in under its key. What was given up then never came in: it waits, as
   * it did, until there is nothing more; `refuse` hears of it then.
   */
  arrive(key: string, deliver: () => void, refuse: (error: EchelonError) => void): void {
    if (this.#left.has(key)) return this.#wait(key, deliver)
    this.#given.push(() => refuse(this.#told(neverCame(key))))
    this.#schedule()
  }

  #wait(key: string, deliver: () => void): void {
    this.#waiting.set(key, deliver)
    if ((this.#left.get(key) ?? 0) < this.#next) this.#late.push(key)
    this.#schedule()
  }

  /** Of a recording that breaks off it is no wonder that it holds no more. */
  #told(error: EchelonError): EchelonError {
    if (!this.#breaksOff) return error
    const message = `the recording breaks off before this was over. ${error.message}`
    return new EchelonError('UNRECORDED_CALL', message, { details: error.details, cause: error })
  }

  #schedule(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    const turn = (): void => this.#turn()
    if (this.#idle <= PATIENT_TURNS) setImmediate(turn)
    else setTimeout(turn, LOOK_MS)
  }

  #turn(): void {
    this.#isTurning = false
    this.#isOpen = false
    const late = this.#late.shift()
    if (late !== undefined) {
      this.#deliver(late)
      return this.#schedule()
    }
    const moment = this.#moments[this.#next]
    if (moment === undefined) return this.#refuseRest()
    if (this.#comesIn(moment)) this.#idle = 0
    // Nothing waits for its turn: whoever comes next wakes this up again.
    else if (this.#isQuiet && this.#given.length === 0 && moment.kind !== 'act') return
    else if (++this.#idle > patienceFor(moment)) {
      if (this.#isQuiet) this.#refuseRest()
      this.#skip()
    }
    this.#schedule()
  }

  get #isQuiet(): boolean {
    return this.#waiting.size === 0
  }

  #refuseRest(): void {
    const given = this.#given
    this.#given = []
    for (const refuse of given) refuse()
  }

  #comesIn(moment: Moment): boolean {
    if (moment.kind === 'time') return false
    if (moment.kind === 'act') {
      const before = this.#now
      this.#now = moment.at
      this.#isOpen = true
      if (this.#perform(moment)) {
        this.#next++
        return true
      }
      this.#now = before
      this.#isOpen = false
      return false
    }
    if (!this.#waiting.has(moment.key)) return false
    this.#pass(moment)
    this.#deliver(moment.key)
    return true
  }

  #deliver(key: string): void {
    const deliver = this.#waiting.get(key)
    this.#waiting.delete(key)
    this.#left.delete(key)
    this.#isOpen = true
    deliver?.()
  }

  /** What does not come any more is left out, so that the run does not wait for ever. */
  #skip(): void {
    this.#idle = 0
    const moment = this.#moments[this.#next]
    if (moment !== undefined) this.#pass(moment)
  }

  #pass(moment: Moment): void {
    this.#next++
    this.#now = moment.at
    this.#isOpen = true
    this.#schedule()
  }
}

const patienceFor = ({ kind }: Moment): number =>
  kind === 'time' ? PATIENT_TURNS : PATIENT_TURNS + LOOKS

const isUnrecorded = (error: unknown): error is EchelonError =>
  error instanceof EchelonError && error.code === 'UNRECORDED_CALL'

const neverCame = (key: string): EchelonError =>
  new EchelonError(
    'UNRECORDED_CALL',
    `the recording holds no end of ${key}; replay with the agent that it was made with, or record anew`,
    { details: { key } },
  )
