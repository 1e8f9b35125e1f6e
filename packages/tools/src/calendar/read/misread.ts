/** Why a question has no answer, as a sentence for whoever asked. Thrown inside the reader only. */
export class Misread extends Error {
  override readonly name = 'Misread'
}

/** One date with two readings: only whoever asked knows which is meant. */
export class Ambiguous extends Misread {}
