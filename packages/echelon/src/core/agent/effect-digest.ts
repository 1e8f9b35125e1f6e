import { digestText, mixDigest } from '../value/digest.ts'
import type { Effect } from './effect.ts'

/**
 * Returns a digest of an effect. A resumed run uses it to detect that its definition asks for
 * something else than the journal holds. A prompt counts by the rolling digest of its thread.
 */
export function digestEffect(effect: Effect): number {
  if (effect.type === 'generate') {
    const { messages, ...asked } = effect
    return mixDigest(messages.digest, digestText(JSON.stringify(asked)))
  }
  if (effect.type === 'together') {
    return effect.effects.reduce((digest, one) => mixDigest(digest, digestEffect(one)), 0)
  }
  return digestText(JSON.stringify(effect))
}
