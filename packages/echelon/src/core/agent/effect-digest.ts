import { digestText, mixDigest } from '../value/digest.ts'
import type { Effect } from './effect.ts'

/**
 * Tells two effects apart, so that a resumed run notices when its definition now asks for something
 * else than the journal holds. Of a prompt the rolling digest of its thread counts, never its text.
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
