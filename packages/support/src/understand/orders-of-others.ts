import { type Reading, readAs } from './command.ts'

const WHOSE =
  "(?:her|his|their|(?:my|our) (?:\\p{L}+ )?(?:mom|mum|mother|dad|father|parents?|sister|brother|wife|husband|partner|girlfriend|boyfriend|friend|buddy|son|daughter|neighbou?r|boss|colleague|aunt|uncle|cousin|roommate|grand\\p{L}+)(?:'s|s')?)"

const OF_OTHERS = new RegExp(`\\b${WHOSE} (?:\\p{L}+ ){0,2}(?:orders?|purchases?|account)\\b`, 'iu')

/** A question about the order of somebody else, of which nothing is told, whatever it names. */
export const ofOthers = (text: string): Reading | null =>
  OF_OTHERS.test(text)
    ? readAs(
        [{ type: 'ask-knowledge', question: 'can you check the order of somebody else' }],
        'it is about an order of somebody else',
      )
    : null
