let hasWarned = false

/**
 * Says once in a program, on standard error, that a request waits and nobody listens. Node's
 * `--disable-warning=ECHELON_UNHEARD` silences it.
 */
export function warnUnheard(message: string): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(message, { type: 'EchelonWarning', code: 'ECHELON_UNHEARD' })
}
