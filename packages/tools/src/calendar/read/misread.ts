import type { Temporal } from 'temporal-polyfill'

/**
 * Thrown inside the reader when a question has no answer. The message is the reason, for the user.
 */
export class Misread extends Error {
  override readonly name = 'Misread'
}

/** A date with two readings, which only the user can decide. */
export class Ambiguous extends Misread {
  /** The possible days, where known. A search skips them if none of them fits. */
  readonly readings: readonly Temporal.PlainDate[]

  constructor(message: string, readings: readonly Temporal.PlainDate[] = []) {
    super(message)
    this.readings = readings
  }
}

/** A day that occurs twice in a year, in order. A search takes the first that it meets. */
export class TwiceAYear extends Ambiguous {}
