/** A secret shorter than this shows nothing of itself. */
const LONG = 20

/**
 * A secret as it may be shown: whether it is one of those that begin with `sk-`, and the last two
 * characters of a long one, enough to tell two keys apart.
 */
export function mask(secret: string): string {
  const kind = secret.startsWith('sk-') ? 'sk-' : ''
  return `${kind}…${secret.length < LONG ? '' : secret.slice(-2)}`
}
