const MONTHS =
  'jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov november dec december'
const WEEKDAYS =
  'mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday sun sunday'
const FEASTS =
  'christmas xmas easter new year years thanksgiving halloween good labor labour memorial valentine valentines boxing independence veterans columbus martin luther king jr mlk president presidents mother mothers father fathers earth groundhog st saint patrick fools fool juneteenth black cyber election pentecost leap us usa united states america whit ascension ash palm mardi gras all saints eve'
const NEAR = 'today tomorrow yesterday now'
const UNITS =
  'day days week weeks fortnight fortnights month months year years decade decades mondays tuesdays wednesdays thursdays fridays saturdays sundays weekday weekdays workday workdays business working calendar iso'
const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand couple'
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth last final'
const RELATIONS =
  'next this coming upcoming past previous current before after from following prior than later earlier ago hence until till since between halfway half way midway midpoint middle plus minus back backward backwards forward forwards ahead add subtract deduct take away go count counting move step jump starting end beginning start inclusive including both weekends holidays ignore ignoring public only through time'
/** Words that only ask. None of them names a thing, an event or a person. */
const ASKING =
  'what which when is was are were will would does did do be been it that on in at of for to the a an and or so then exact exactly right just immediately directly date day weekday tell give show find name say calculate compute determine work out fall falls fell land lands landed lie lies come comes came follow follows followed precede precedes preceded happen happens happened occur occurs celebrated observed how many number difference more total there have has had passed elapsed gone by went left remaining remain remains off still wait apart separate long me please'

const words = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.join(' ').split(' '))

/** Words about time. Whether they make one date is for the calendar to say, which takes up them all. */
const DATE_WORDS = words(MONTHS, WEEKDAYS, FEASTS, NEAR, UNITS, NUMBERS, ORDINALS, RELATIONS)
const KNOWN = DATE_WORDS.union(words(ASKING))
const FEAST_WORDS = words(FEASTS, 'the day')
const BARE = DATE_WORDS.union(words('the of in on and a an to exactly'))

const named = (lists: string): string => lists.replaceAll(' ', '|')
/** A date in words, in numbers, or a year, of which numbers alone may be a sum as well. */
const IN_WORDS = new RegExp(
  String.raw`\b(?:${named(`${MONTHS} ${WEEKDAYS} ${NEAR}`)}|ago|christmas|xmas|easter|thanksgiving|halloween|juneteenth|pentecost|new year|\w+'s? (?:day|eve)|(?:labou?r|leap|memorial|boxing|independence|veterans|columbus|election|earth|mlk) day|(?:this|next|last) (?:month|year))\b`,
)
const IN_NUMBERS = /\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{4}|\b[12]\d{3}\b/
const UNIT = /\b(?:days?|weeks?|fortnights?|months?|years?|weekday|date)\b/

/** How a clause asks: for a date or a day of the week, with a verb, for a number, or for a choice. */
const FOR_KIND =
  /\b(?:what|which) (?:exact |calendar )?day\b(?! (?:of|in) the (?:month|year))|\b(?:date|weekday|day of the week)\b/
const FOR_DATE =
  /^when (?:exactly )?(?:is|was|will|does|did)\b|^what (?:is|was|will be)\b(?! (?:on|in)\b)/
const ORDER = /^(?:add|subtract|deduct|take|go|count|move|step|jump|find|give me|tell me)\b/
const FOR_NUMBER =
  /\b(?:how many|number of|difference in) (?:more |calendar )?(?:days|weeks|months|years)\b|\bhow long\b.* in (?:days|weeks|months|years)\b|^(?:the )?(?:days|weeks|months|years) (?:left |remaining )?(?:until|till|to|since|between|from)\b/
const FOR_CHOICE = /^(?:is|was|will|did|does) .* an? \w+day,? or (?:on )?(?:an? )?\w+day$/

/** Said of an event, it may make its date another one. */
const DOUBT =
  /\b(?:not|no|never|nor|or|\w+n't|unless|except|without|instead|moved|postponed|rescheduled|delayed|shifted|extended|cancell?ed|changed|originally|about|around|maybe|perhaps|probably|every|each|how|who|why|where|what|which)\b/

/**
 * Whether a text asks the calendar's question: for a date, a day of the week, or a number of days.
 * Nothing but words that ask and words about time may stand in what it asks; in front of it an event
 * may be told, whose date the question then refers to.
 */
export function asksForDate(text: string): boolean {
  const plain = plainly(text)
  const clauses = plain.split(CLAUSE).filter((clause) => !EMPTY.test(clause))
  const asking = clauses.filter((clause) => clauses.length === 1 || asks(clause))
  const [question, another] = asking
  if (question === undefined || another !== undefined) return false
  const told = clauses.filter((clause) => clause !== question)
  if (told.some((clause) => DOUBT.test(clause)) || (told.length > 0 && OF_TODAY.test(question))) {
    return false
  }
  const heard = new Set(
    told.flatMap(wordsOf).flatMap((word) => [word, word.replace(/e?[ds]$/, '')]),
  )
  if (!wordsOf(question).every((word) => KNOWN.has(word) || heard.has(word))) return false
  return isOfDates(plain, question) && (asks(question) || isAlone(question))
}

/** What is no clause of its own, or a rule of working days that the calendar weighs. */
const EMPTY = /^(?:please|thanks|thank you|weekends (?:do not|don't) count)?$/
/** Behind something told it is not clear whether today is asked for. */
const OF_TODAY = /^(?:what (?:is|was)|tell me|give me) (?:the )?(?:exact |current )?(?:date|day)$/

const CLAUSE =
  /(?<!\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|st|mon|tues?|wed|thurs?|fri|sat|sun|jr))[.!?;:](?:\s+|$)|\s-\s|,\s+(?=(?:(?:so|and|then) )*(?:on |at )?(?:what|which|when|how many)\b)/

const OPENING =
  /^(?:(?:hi|hello|hey|ok|okay|so|then|and|please|if|suppose|assuming|since)[ ,]+)*(?:(?:can|could|would|will) you (?:please )?|do you (?:happen to )?know |i(?: would|'d)? (?:like|want|need) to know |i wonder )?/

/** Lower case, without contractions and without the persons that only reckon: `if I add`. */
function plainly(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/\b(what|when|which|that|it)'s\b/g, '$1 is')
    .replaceAll(/\s*[–—]\s*/g, ' - ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(OPENING, '')
    .replaceAll(
      /\b(?:do|will|would) (?:i|you|we) (?:get|have|reach)\b|\b(?:if|when) (?:i|you|we)\b/g,
      '',
    )
    .replaceAll(/\b(?:i|we) have to wait\b|\bdo (?:i|we) have\b/g, '')
}

const wordsOf = (clause: string): readonly string[] =>
  (clause.replaceAll(/'s?\b/g, '').match(/[\p{L}\d]+/gu) ?? []).filter((word) => !/\d/.test(word))

const asks = (clause: string): boolean =>
  [FOR_KIND, FOR_DATE, FOR_NUMBER, FOR_CHOICE].some((form) => form.test(clause.trim()))

/** An order to reckon, or a date and nothing else. */
const isAlone = (clause: string): boolean =>
  ORDER.test(clause) || wordsOf(clause).every((word) => BARE.has(word))

function isOfDates(text: string, question: string): boolean {
  // "What is Easter?" asks for more than its date.
  const isOfFeast = /^what (?:is|was)\b/.test(question) && !FOR_KIND.test(question)
  if (
    isOfFeast &&
    wordsOf(question)
      .slice(2)
      .every((word) => FEAST_WORDS.has(word))
  )
    return false
  if (FOR_KIND.test(question) && UNIT.test(question)) return true
  return IN_WORDS.test(text) || (IN_NUMBERS.test(text) && UNIT.test(text)) || IN_STEPS.test(text)
}

/** `in 10 days`, `two weeks from now`. */
const IN_STEPS = /\bin (?:\w+ )?\w+ (?:days|weeks|months|years)\b/
