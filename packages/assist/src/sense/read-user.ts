import type { Finding, ReadUser } from '../evaluation/finding.ts'
import { goesOn, weighAchieved } from './achieved.ts'
import { NOTHING, surer, together, type Weighed } from './cue.ts'
import { weighFrustration } from './frustration.ts'
import { likelyOfUser } from './learned.ts'
import { weighNamed, weighPatterns } from './own-words.ts'
import { readable } from './readable.ts'
import { weighStop } from './stop.ts'

interface Known {
  readonly kind: 'stop' | 'frustration' | 'achieved'
  /** The names of the condition. */
  readonly name: RegExp
  readonly weigh: (text: string) => Weighed
  /** Rules out the condition, whatever the words are like. */
  readonly excludes?: (text: string) => boolean
}

/** Conditions with built-in rules. */
const KNOWN: readonly Known[] = [
  { kind: 'frustration', name: /frustrat|annoy|fed up/iu, weigh: weighFrustration },
  {
    kind: 'achieved',
    name: /achiev|reached|goal|accomplished/iu,
    weigh: weighAchieved,
    excludes: goesOn,
  },
  { kind: 'stop', name: /\bsays? stop\b|^stop$|\bstop requested\b/iu, weigh: weighStop },
]

/** Findings below this are ignored. */
const LEAST = 0.3

/**
 * Findings of the intent's stop conditions in a message, most certain first. A condition that is not in the intent
 * is ignored. The shipped three are read by rules and trained examples, plus the intent's patterns; any other by
 * its patterns only, or else by its own words, and is of the kind `stop`. English.
 */
export const readUser: ReadUser = (text, intent) => {
  const said = readable(text)
  const likely = likelyOfUser(said)
  return intent.stop_conditions
    .map((what): Finding => {
      const patterns = intent.patterns?.[what]
      const known = KNOWN.find(({ name }) => name.test(what))
      const found =
        known === undefined
          ? weighNamed(said, what, patterns)
          : surer(
              known.excludes?.(said) === true
                ? NOTHING
                : together(known.weigh(said), likely.get(known.kind) ?? 0, said),
              weighPatterns(said, patterns ?? []),
            )
      return { kind: known?.kind ?? 'stop', what, ...found }
    })
    .filter(({ confidence }) => confidence >= LEAST)
    .toSorted((a, b) => b.confidence - a.confidence)
}
