import { EchelonError } from 'echelon/internal/value'

/** The refusal of a document, in one sentence that begins with its name. */
export const refused = (name: string, why: string, cause?: unknown): EchelonError =>
  new EchelonError('INVALID_INPUT', `${name} ${why}`, {
    details: { name },
    ...(cause !== undefined && { cause }),
  })

/** A package's error message, as the end of a sentence. */
export function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const [first = ''] = message.split('\n')
  return first.slice(0, 200).replace(/[.\s]+$/, '')
}

/** Turns a package's error into a refusal; a refusal stays as it is. */
export function asRefusal(name: string, error: unknown): EchelonError {
  if (error instanceof EchelonError) return error
  // A recursive parser fails like this, and only for generated input.
  if (error instanceof RangeError) {
    return refused(name, 'is nested too deeply; leave it out or rewrite it', error)
  }
  return refused(
    name,
    `cannot be read (${problemOf(error)}); check that it is complete and of the kind its name says`,
    error,
  )
}
