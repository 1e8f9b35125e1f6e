import { EchelonError } from 'echelon/internal/value'

/** A document that is not taken, in one sentence that begins with its name. */
export const refused = (name: string, why: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', `${name} ${why}`, {
    details: { name },
    ...(cause !== undefined && { cause }),
  })

/** What went wrong in a package, as the end of a sentence. */
export function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split('\n')
  return first.slice(0, 200).replace(/[.\s]+$/, '')
}

/** What a package threw, as a refusal; what was refused already stays as it is. */
export function asRefusal(name: string, error: unknown): EchelonError {
  if (error instanceof EchelonError) return error
  // A parser that calls itself ends so, and only for what nobody wrote by hand.
  if (error instanceof RangeError) {
    return refused(name, 'is nested too deep to be read; leave it out or write it anew', error)
  }
  return refused(name, `cannot be read (${problemOf(error)}); is it whole, and of its kind?`, error)
}
