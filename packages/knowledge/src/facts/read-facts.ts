import { type FactChange, line, MOST_ABOUT, MOST_FACT, MOST_FROM } from './fact.ts'

/** Messages that are read, the newest ones. */
const MOST_MESSAGES = 200
/** Facts of one conversation. */
const MOST_CHANGES = 50

/**
 * Reads facts about the user from their messages, by rules: name, home, work, people, tastes, allergies, and
 * anything they ask to remember or to forget. English only; questions and suppositions are skipped. A model
 * understands more.
 */
export const readFacts = (messages: readonly string[]): readonly FactChange[] =>
  messages.slice(-MOST_MESSAGES).flatMap(sentencesOf).flatMap(changesIn).slice(0, MOST_CHANGES)

const sentencesOf = (message: string): readonly string[] =>
  message
    .slice(0, 20_000)
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+|\n+|;\s+/u)
    .map((sentence) => line(sentence, MOST_FROM))
    .filter((sentence) => sentence !== '')

const SUPPOSED =
  /\?$|^(?:if|suppose|imagine|what if|would|should|could|can|do|does|did|is|are|why|how|when|where|what|who)\b|\b(?:if i|i would|i might|i may|i wish)\b/iu

type Reading = readonly [words: RegExp, change: (found: Found, from: string) => FactChange | null]
type Found = Readonly<Record<string, string | undefined>>

const know = (about: string, fact: string, from: string): FactChange => ({
  type: 'know',
  about: line(about.toLowerCase(), MOST_ABOUT),
  fact: line(fact, MOST_FACT),
  from,
})

/** The rest of a clause: without a further clause, and without the closing mark. */
const REST = String.raw`(?<rest>[^,.!?;]{1,80}?)(?:\s+(?:and|but|because|since|so|now|anymore|any more|these days|at the moment)\b|[,.!?;]|$)`

const reading = (words: string, change: Reading[1]): Reading => [
  new RegExp(words.replace('REST', REST), 'iu'),
  change,
]

const PEOPLE =
  'wife|husband|partner|girlfriend|boyfriend|son|daughter|child|brother|sister|mother|father|mom|dad|boss|manager|doctor|dog|cat|company|team|birthday|budget|deadline|job|car|goal|salary|address|phone|email|e-mail|favou?rite \\w+'

const READINGS: readonly Reading[] = [
  reading(
    String.raw`\b(?<!(?:don't|do not|never) )(?:forget|delete|erase)\s+(?:(?:everything|all)\s+)?(?:(?:what|that) i (?:said|told you|wrote)\s+)?(?:about\s+)?(?:that\s+)?REST`,
    ({ rest = '' }) => (/^(?:it|that|this)?$/iu.test(rest) ? null : { type: 'forget', what: rest }),
  ),
  reading(String.raw`\bi no longer\s+REST`, ({ rest = '' }) => ({ type: 'forget', what: rest })),
  reading(
    String.raw`\b(?:remember|note|keep in mind|don't forget|do not forget)(?:,)?(?: please)? that\s+(?<rest>.{3,200})$`,
    ({ rest = '' }, from) =>
      know(rest.split(' ').slice(0, 5).join(' '), `The user says: ${rest}`, from),
  ),
  reading(
    String.raw`\b(?:my name is|i am called|i'm called|call me)\s+REST`,
    ({ rest = '' }, from) => know('name', `The user's name is ${rest}.`, from),
  ),
  reading(
    String.raw`\bi(?:'ve| have)? (?:(?:now |just |recently )?(?:live|moved|relocated)|am (?:living|moving)|'m (?:living|moving)) (?<where>in|to|near)\s+REST`,
    ({ rest = '', where }, from) =>
      know('home', `The user lives ${where === 'near' ? 'near' : 'in'} ${rest}.`, from),
  ),
  reading(
    String.raw`\bi(?:'m| am)? (?:now )?(?:work|working) (?<how>at|for|as|in)\s+REST`,
    ({ rest = '', how = 'at' }, from) =>
      know('work', `The user works ${how.toLowerCase()} ${rest}.`, from),
  ),
  reading(
    String.raw`\bi(?:'m| am) an? (?<rest>(?:\w+ ){0,2}(?:\w+(?:eer|ist|ian|cher|tect|ntant|iter|ender|iver|aker|ctor)|nurse|student|chef|pilot|lawyer|farmer|baker|nanny|clerk|designer|developer|manager))\b`,
    ({ rest = '' }, from) => know('work', `The user is a ${rest}.`, from),
  ),
  reading(String.raw`\bi(?:'m| am) allergic to\s+REST`, ({ rest = '' }, from) =>
    know(`allergy to ${rest}`, `The user is allergic to ${rest}.`, from),
  ),
  reading(
    String.raw`\bi(?:'m| am) (?:a )?(?<rest>vegan|vegetarian|pescatarian|diabetic|coeliac|celiac|lactose intolerant|colou?r-?blind|left-handed|pregnant|retired)\b`,
    ({ rest = '' }, from) => know(rest, `The user is ${rest}.`, from),
  ),
  reading(
    String.raw`\bi (?:really |absolutely |still |always )?(?<how>like|love|enjoy|prefer|hate|dislike|can't stand|don't (?:like|eat|drink)|do not (?:like|eat|drink))\s+REST`,
    ({ rest = '', how = '' }, from) =>
      /^(?:it|that|this|you|the idea|your|to know|them)\b/iu.test(rest)
        ? null
        : know(`taste: ${rest}`, `The user ${thirdPerson(how)} ${rest}.`, from),
  ),
  reading(
    String.raw`\bi have (?<rest>(?:an?|one|two|three|four|five|no|\d{1,2}) (?:\w+ )?(?:child|children|kids?|sons?|daughters?|dogs?|cats?|brothers?|sisters?|cars?|houses?))\b`,
    ({ rest = '' }, from) => know(rest.split(' ').at(-1) ?? rest, `The user has ${rest}.`, from),
  ),
  reading(
    String.raw`\bmy (?<what>${PEOPLE})(?:'s name)? (?:is|are)(?: called| named| on)?\s+REST`,
    ({ rest = '', what = '' }, from) => know(what, `The user's ${what} is ${rest}.`, from),
  ),
]

function thirdPerson(how: string): string {
  const said = how.toLowerCase()
  if (said === "can't stand") return 'cannot stand'
  if (said.startsWith("don't") || said.startsWith('do not')) {
    return `does not ${said.split(' ').at(-1) ?? 'like'}`
  }
  return `${said}s`
}

/** A match of one of the first readings, which forget or remember, ends the reading of a sentence. */
const ALONE = 3

function changesIn(sentence: string): readonly FactChange[] {
  if (SUPPOSED.test(sentence)) return []
  const found: FactChange[] = []
  for (const [nth, [words, change]] of READINGS.entries()) {
    const match = words.exec(sentence)
    const read = match === null ? null : change(match.groups ?? {}, sentence)
    if (read === null) continue
    found.push(read)
    if (nth < ALONE) break
  }
  return found
}
