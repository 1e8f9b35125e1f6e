import { EchelonError } from '../core/value/error.ts'
import type { Moment } from './line.ts'
import { Numbered, type Timeline } from './timeline.ts'

/** An external action on a run. */
export type Act = Extract<Moment, { readonly kind: 'act' }>

/** Event loop turns to wait for an expected clock reading. */
const PATIENT_TURNS = 20
/** Then the interval and number of checks before the expected arrival is skipped. */
const LOOK_MS = 10
const LOOKS = 100

/**
 * The timeline of a recorded run. Each arrival is delivered in its recorded order and at its
 * recorded time, without waiting in real time.
 */
export class ReplayingTimeline implements Timeline {
  readonly #moments: readonly Moment[]
  readonly #left: Map<string, number>
  readonly #names = new Numbered()
  readonly #waiting = new Map<string, () => void>()
  /** The keys of waiting arrivals that were skipped before they came. */
  readonly #late: string[] = []
  /** Callbacks that reject arrivals missing from the recording. */
  #refusals: (() => void)[] = []
  readonly #breaksOff: boolean
  /** Performs an action on its run; false while the run cannot accept it. */
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
        // An unrecorded call has no turn.
        if (isUnrecorded(error)) reject(this.#explained(error))
        else this.arrive(key, () => reject(error), reject)
      }
      work.then((value) => this.arrive(key, () => resolve(value), reject), failed)
    })
  }

  after(ms: number, callback: () => void): () => void {
    const key = this.numbered(`timer ${ms}`)
    // A timer that did not fire in the recording does not fire in the replay.
    if (this.#left.has(key)) this.#wait(key, callback)
    return () => void this.#waiting.delete(key)
  }

  /**
   * Registers an arrival that is ready under its key. A call aborted in the recording never
   * arrived: it waits until the recording ends and is then passed to `refuse`.
   */
  arrive(key: string, deliver: () => void, refuse: (error: EchelonError) => void): void {
    if (this.#left.has(key)) return this.#wait(key, deliver)
    this.#refusals.push(() => refuse(this.#explained(missingArrival(key))))
    this.#schedule()
  }

  #wait(key: string, deliver: () => void): void {
    this.#waiting.set(key, deliver)
    if ((this.#left.get(key) ?? 0) < this.#next) this.#late.push(key)
    this.#schedule()
  }

  /** Explains the error when the recording was interrupted. */
  #explained(error: EchelonError): EchelonError {
    if (!this.#breaksOff) return error
    const message = `the recording was interrupted before this ended. ${error.message}`
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
    if (this.#deliverNext(moment)) this.#idle = 0
    // Nothing is waiting. The next arrival schedules the next turn.
    else if (this.#isQuiet && this.#refusals.length === 0 && moment.kind !== 'act') return
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
    const refusals = this.#refusals
    this.#refusals = []
    for (const refuse of refusals) refuse()
  }

  #deliverNext(moment: Moment): boolean {
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

  /** Skips an arrival that does not come, so that the run does not wait forever. */
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

const missingArrival = (key: string): EchelonError =>
  new EchelonError(
    'UNRECORDED_CALL',
    `the recording holds no end of ${key}; replay with the recorded agent, or record again`,
    { details: { key } },
  )
