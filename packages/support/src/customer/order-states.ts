/** States of an order, with the words that tell them: "the delivered one", "the one that's already here". */
interface StateWords {
  readonly states: readonly string[]
  /** Words before "one" or "order". */
  readonly before?: string
  /** Words behind "the one that's". */
  readonly behind?: string
}

const ON_ITS_WAY = ['shipped', 'in_transit', 'delayed']
const TO_COME = ['processing', ...ON_ITS_WAY]
const NOT_YET =
  "(?:has|have|is|was|did)(?:n['’]?t| not) (?:yet |even |been )*(?:here|arrived?|come|delivered|got here|get here|reached me)"

const WORDS: readonly StateWords[] = [
  { states: TO_COME, before: 'undelivered|outstanding', behind: `${NOT_YET}|to come` },
  {
    states: ['processing'],
    before: 'pending|open|unshipped|processing',
    behind:
      "processing|being (?:prepared|processed|packed)|in preparation|(?:has|have|is|was)(?:n['’]?t| not) (?:yet |even |been )*(?:shipped|sent|left)|with you",
  },
  { states: ['delayed'], before: 'delayed|late|overdue', behind: 'late|delayed|overdue|held up' },
  { states: ['in_transit'], behind: 'in transit' },
  {
    states: ON_ITS_WAY,
    behind: 'on (?:its|the|their) way|coming|under ?way|out for delivery|travell?ing',
  },
  {
    states: ['return_started'],
    before: 'returned',
    behind: '(?:sent|sending|going) back|return(?:ed|ing)',
  },
  {
    states: ['shipped', 'in_transit'],
    before: 'shipped|sent',
    behind: '(?:shipped|sent|dispatched)(?! (?:me )?back)',
  },
  {
    states: ['delivered'],
    before: 'delivered|arrived',
    behind:
      'delivered|arrived|came|here|received|got(?! (?:cancell?ed|refunded|lost|delayed|stuck|to\\b))(?: here)?',
  },
  { states: ['refunded'], before: 'refunded', behind: 'refunded' },
  { states: ['cancelled'], before: 'cancell?ed', behind: 'cancell?ed|called off' },
]

const ORDER = '(?:order|parcel|package|purchase|delivery|shipment)'
const AROUND =
  "(?:\\s*['’]s|\\s+(?:is|are|am|was|were|has|have|had|been|got|i|you|u|we|they|['’]?ve|i['’]?ve|i['’]?m|you['’]?ve|they['’]?ve|already|still|just|now|currently|finally|recently|only|yet|actually))*"
const THAT = "\\s+(?:that|which|thats|whichs)\\b(?:['’]s)?"

const PATTERNS: readonly (readonly [RegExp, readonly string[]])[] = [
  ...WORDS.map(({ states, before, behind }): readonly [RegExp, readonly string[]] => {
    const adjective =
      before === undefined
        ? []
        : [`\\b(?:the|my|that)\\s+(?:already |still |other )?(?:${before})\\s+(?:one|${ORDER})\\b`]
    const relative =
      behind === undefined
        ? []
        : [
            `\\b(?:the|my)\\s+(?:other )?one(?:${THAT})?${AROUND}\\s+(?:${behind})\\b`,
            `\\b${ORDER}${THAT}${AROUND}\\s+(?:${behind})\\b`,
            `\\b(?:the|my|that) ${ORDER} (?:i|you|we)(?:['’]?ve| have| had)?(?: just| already)? (?:${behind})\\b`,
          ]
    return [new RegExp([...adjective, ...relative].join('|'), 'iu'), states]
  }),
  [
    /\bmy return\b|\b(?:the )?return (?:that )?i (?:started|sent)\b|\bi sent back\b/iu,
    ['return_started'],
  ],
  [
    /\b(?:the|my|that) cancell?ed (?:one|order|purchase|\p{L}+)\b|\b(?:order|one|purchase|\p{L}+) (?:that |which )?(?:i|we|you|was|got)(?:'ve| have| had)?(?: been| just| already)? cancell?ed\b|\bi(?:'ve| have)? cancell?ed (?:the|my|an?)\b/iu,
    ['cancelled'],
  ],
  [/\bmy (?:refund|money)\b/iu, ['refunded', 'return_started']],
]

/** The states in which an order is that a text tells by its state: "the one still on its way"; `null` for none. */
export const statesIn = (text: string): readonly string[] | null =>
  PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? null
