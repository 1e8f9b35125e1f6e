let hasWarned = false

/**
 * Warns once per process, on standard error, that a request waits without a handler. Node's
 * `--disable-warning=ECHELON_UNHEARD` silences it.
 */
export function warnUnheard(message: string): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(message, { type: 'EchelonWarning', code: 'ECHELON_UNHEARD' })
}
