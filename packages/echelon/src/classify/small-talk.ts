/** Kinds of messages without a request. */
export type SmallTalk = 'greeting' | 'thanks' | 'goodbye' | 'apology' | 'insult' | 'praise'

/** Phrases of one kind, a regular expression of lower-case words. */
export type SmallTalkRow<Kind extends string> = readonly [kind: Kind, phrases: string]

const FOR =
  '(?: (?:very|so) much| a lot| a million| a bunch| again| in advance| for (?:your|the|all|everything|that|this|it|helping|being|getting)(?: \\p{L}+){0,6})*'

/** Each kind's phrases, longest first within a row. A phrase is matched at the beginning of what is left. */
const PHRASES: readonly SmallTalkRow<SmallTalk | 'filler'>[] = [
  [
    'greeting',
    `(?:good (?:morning|afternoon|evening|day)|hi+ there|hello there|hey there|hi+|hello+|hey+|hiya|howdy|greetings|yo|hallo|how are you(?: doing)?(?: today)?|how(?:'?s| is) it going|how do you do|what'?s up|sup|nice to meet you|(?:is )?any(?:one|body) (?:there|here|home)|(?:is |are )?(?:someone|somebody|you) (?:still )?(?:there|here)|i hope (?:you are|you're|this finds you) (?:doing )?well)(?: (?:all|everyone|team|support|bot|guys|folks|again))?`,
  ],
  [
    'insult',
    `(?:thanks (?:a lot )?for nothing|(?:that'?s|this is|for) the (?:second|third|fourth|fifth|\\p{L}+th) time(?: (?:now|already))?|(?:you(?:'re| are)|ur) no (?:help|use)|what a (?:joke|shame|mess))`,
  ],
  [
    'thanks',
    `(?:many thanks|thank you|thanks|thank u|thankyou|thx|thnx|ty|tysm|cheers|ta|much appreciated|(?:i )?(?:really )?appreciate (?:it|that|your help)|i appreciate(?: \\p{L}+){0,4}|bless you)${FOR}`,
  ],
  [
    'goodbye',
    `(?:good ?bye|bye+(?: bye)?|bye for now|see (?:you|ya)(?: later| soon| around| tomorrow)?|cya|ciao|farewell|take care|good night|(?:have|enjoy) (?:a|your) (?:very )?(?:nice|good|great|lovely|wonderful|pleasant)? ?(?:day|evening|weekend|night|one|week|rest of your day)|(?:you|u) too|talk (?:to you )?later|ttyl|that(?:'?s| is| will be|'ll be) (?:all|it|everything)(?: for now| for today| thanks| i need(?:ed)?)?|(?:no )?(?:that(?:'?s| is) all|nothing else|nothing more|i'?m (?:all )?(?:done|good|set)|all good|we'?re (?:done|good))(?: for now| here)?|i have (?:everything|all) i need(?:ed)?)`,
  ],
  [
    'apology',
    `(?:(?:i'?m |i am )?(?:so |very )?sorry(?: about that| for that| for the (?:confusion|trouble|inconvenience|mess)| to bother you)?|my (?:bad|apologies|mistake)|(?:i )?apologi[sz]e(?: for that)?|apologies|oops(?:ie)?|whoops)`,
  ],
  [
    'insult',
    `(?:(?:you|u)(?: people| guys)?(?:'?re| are| r)?(?: all)?(?: so| such| really| just| absolutely| completely| totally| fucking| bloody)*(?: a| an| the)?(?: bunch of)? (?:useless|stupid|dumb|idiots?|morons?|incompetent|terrible|awful|horrible|worst|pathetic|ridiculous|hopeless|rubbish|joke|garbage|trash|crap|liars?|thie(?:f|ves)|scammers?|suck|clowns?)(?: (?:bot|robot|machine|company|service|people|shop|store|ever))*|(?:this|that|it|your (?:service|company|shop|support|bot))(?:'?s| is| are)?(?: so| such| just| really| absolutely| completely| totally)*(?: a| an)? (?:ridiculous|bullshit|unacceptable|joke|terrible|awful|horrible|useless|a joke|rubbish|crap|sucks?|pathetic|a scam|scam|outrageous|disgusting|garbage|stupid|nonsense)|(?:stupid|useless|dumb|damn|bloody|fucking|worthless) (?:bot|robot|machine|thing|company|idiots?)|idiots?|morons?|wtf|wth|fuck(?: you| off| this| it)?|screw you|shut up|go to hell|damn(?: it)?|shit|crap|bullshit|i hate (?:you|this|your \\p{L}+)(?: \\p{L}+)?|(?:never (?:buy|order|shop)\\p{L}*|not (?:buying|ordering|shopping)) (?:here|from you|with you)(?: again| any ?more)?|(?:the )?worst \\p{L}+ ever|what the (?:hell|fuck|heck))`,
  ],
  [
    'praise',
    `(?:that(?:'?s| is|s| was| sounds)?|this is|sounds|you(?:'?re| are)|looks|very|really|how|so)? ?(?:(?:very|so|really) )?(?:great|perfect|awesome|cool|nice|excellent|wonderful|amazing|brilliant|fantastic|lovely|super|good to know|good job|well done|good bot|good|helpful|kind(?: of you)?|the best|fine|ok(?:ay|i)?|alright|all right|got it|i see|understood|noted|makes sense|fair enough|no (?:problem|worries|prob)|sure|right|wow|yay|phew|haha+|lol|interesting|glad to hear(?: that| it)?|(?:that|this|it) help(?:s|ed)?|works for me|i understand|i got it|gotcha|roger|k)(?: (?:then|work|stuff|news|idea|to (?:hear|know)|\\p{L}+ help))?`,
  ],
  [
    'filler',
    `(?:well|so|oh|ah|and|but|then|please|there|everyone|team|bot|mate|dude|man|sir|madam|maam|my friend|friend|dear|again|today|now|just|um+|uh+|hm+|really|very|much|a lot|anyway|indeed|actually|yes|yeah|yep|no|nope|for now|support|guys|folks|god|jesus|come on|seriously|forget (?:it|that|this)|never ?mind|whatever|people|you|i|for|the|help|your|as always|as well|too|lot|me|it|that|this)`,
  ],
]

interface Row<Kind> {
  readonly kind: Kind | 'filler'
  readonly pattern: RegExp
}

const rowOf = <Kind extends string>([kind, phrases]: SmallTalkRow<Kind>): Row<Kind> => ({
  kind,
  pattern: new RegExp(`^(?:${phrases})(?![\\p{L}\\p{N}'])`, 'iu'),
})

const ROWS: readonly Row<SmallTalk | 'filler'>[] = PHRASES.map(rowOf)

/** Longer texts do not count as small talk. */
const MOST_CHARACTERS = 160

/**
 * The kinds of small talk that make up a whole text; empty if it holds anything else: "thanks, and how
 * long does it take?". English.
 * @param more kinds of the caller's own, which are looked for first
 */
export function smallTalkIn<More extends string = never>(
  text: string,
  more: readonly SmallTalkRow<More>[] = [],
): readonly (SmallTalk | More)[] {
  if (text.length > MOST_CHARACTERS) return []
  const rows: readonly Row<SmallTalk | More | 'filler'>[] = [...more.map(rowOf), ...ROWS]
  let rest = plain(text)
  const kinds: (SmallTalk | More)[] = []
  while (rest !== '') {
    const row = rows.find(({ pattern }) => pattern.test(rest))
    if (row === undefined) return []
    const { kind } = row
    if (kind !== 'filler' && !kinds.includes(kind)) kinds.push(kind)
    rest = rest.replace(row.pattern, '').trim()
  }
  return kinds
}

/** A text without a greeting before and thanks behind it. */
export function withoutCourtesy(text: string): string {
  const greeting = ROWS.find(({ kind }) => kind === 'greeting')?.pattern
  const [, lead = ''] = /^(\P{L}*)/u.exec(text) ?? []
  const from = text.slice(lead.length)
  const [said = ''] = greeting?.exec(from) ?? []
  const rest = said === '' ? text : from.slice(said.length).replace(/^[\s,.!-]+/u, '')
  const shorter = rest.replace(
    /[\s,.!]*\b(?:thanks|thank you|thx|cheers|many thanks)(?: (?:in advance|a lot|so much|very much|for your help))*[\s.!]*$/iu,
    '',
  )
  return shorter.trim() === '' ? text : shorter
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\u2018\u2019`]/gu, "'")
    .replaceAll(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const CORRECTS =
  /^(?:(?:oh|ah|um|uh|well|ok(?:ay)?)[, ]+)*(?:no+[,. ]+(?:wait|not|i|that|it|the)\b|(?:sorry|oops|wait|hold on|correction)[,:. ]+\S|i (?:meant|mean)\b|(?:that's|that is|you are|you're) (?:not (?:what|right)|wrong)|actually[, ])|\b(?:i meant|what i meant|not what i (?:meant|asked|said)|i was wrong about|scratch that|rather than that)\b/iu

/** Whether a message corrects what was said before, its own author's words or the answer. English. */
export const isCorrection = (text: string): boolean =>
  CORRECTS.test(text.trim().slice(0, MOST_READ).replaceAll('’', "'"))

/** A correction comes first, or near. */
const MOST_READ = 300
