import { NOTHING, quoted, type Weighed } from './cue.ts'
import { sentencesOf } from './readable.ts'

const FEATURE =
  /\b(?:features?|reminders?|dashboards?|apps?|reports?|trackers?|calendars?|chatbots?|gamification|planners?|modules?|simulators?|notifications?|exports?|widgets?|extensions?|apis?|marketplaces?|forums?|leaderboards?|badges?|newsletters?|podcasts?|communit(?:y|ies)|dark mode|multi-language|log-?ins?|analytics|plug-?ins?|chats?|videos?|polls?|payments?|alerts?|boards?|digests?|journals?|timers?|voice control|companions?|integrations?|summaries|file sharing|search|tools?|bots?|sync|themes?|maps?|wikis?|templates?|assistants?|modes?|scanning|accounts?|imports?|stores?|loyalty programmes?|comments?|reactions?|stickers?|streams?|wallets?|tags?|filters?|sharing|profiles?|recipes?|birthdays?|stocks?|scanners?|printing|subscriptions?|rewards?|points system)\b/giu

const MORE =
  /\b(?:also|plus|on top of (?:that|it)|in addition|additionally|while (?:we're|we are|you're|you are|i'm|i am) at it|as well|besides|even better with|throw in|bolt on|tack on|extend (?:it|this|that)|one more|another|too|a (?:second|third|fourth|fifth) (?:module|one)?|and (?:a|an) (?:second|third|fourth)|there is more|why not (?:include|add)|and we could|moreover|furthermore|as would|now let it|why stop there|next (?:release|version|step)|the one after|apart from that|would fit in|give it an?|it already does)\b/giu

const OFFER =
  /\b(?:could|should|can|let's|add|include|integrate|needs?|build|offer|might want|would be|i can|we can|must have|throw in|bolt on|give it|let it|would fit|release|version)\b/iu

const DENIED =
  /\b(?:not|no|never|don't|won't|without|instead of|rather than|keep only|only one|spread you thin)\b/iu

/** Whether a draft stacks features. */
export function weighFeatureStacking(draft: string): Weighed {
  const offers = sentencesOf(draft).filter((sentence) => !DENIED.test(sentence))
  const text = offers.join(' ')
  if (!OFFER.test(text)) return NOTHING
  const features = new Set((text.match(FEATURE) ?? []).map((word) => word.toLowerCase())).size
  const more = (text.match(MORE) ?? []).length
  // A list of things, as "manage your mail, track your sleep, order groceries and plan your holidays".
  const listed = Math.max(0, ...offers.map((sentence) => sentence.split(/,|\band\b/iu).length - 1))
  const added = offers.filter((sentence) =>
    /^(?:add|give|include|integrate|build)\b/iu.test(sentence),
  ).length
  const confidence = added >= 3 ? 0.7 : confidenceOf({ features, more, listed })
  if (confidence === 0) return NOTHING
  const shown = offers.find((sentence) => sentence.match(MORE) ?? sentence.match(FEATURE))
  return { confidence, evidence: quoted(shown ?? offers[0] ?? '') }
}

function confidenceOf({
  features,
  more,
  listed,
}: Readonly<Record<'features' | 'more' | 'listed', number>>): number {
  if (features >= 3 && (more >= 1 || listed >= 3)) return 0.85
  if (features >= 1 && more >= 2) return 0.7
  if (more >= 3) return 0.6
  if (more >= 1 && listed >= 3) return 0.6
  return features >= 2 && more >= 1 ? 0.45 : 0
}
