/** The facts about a stock request that decide whether it is unambiguous. */
export interface StockWording {
  readonly text: string
  /** Lower-case words, without possessive endings. */
  readonly said: ReadonlySet<string>
  /** Trading days, if the request gives a number. */
  readonly rows: number | undefined
  /** A number counts neither days nor a window, or two numbers count the same. */
  readonly strangeNumbers: boolean
  /** Days of the moving average; null if none is requested. */
  readonly window: number | null
  /** Whether the mean of the rows or a moving average is requested. */
  readonly average: boolean
  readonly extremes: boolean
  readonly plot: boolean
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const OTHER_DAY = words(
  'today now current currently yesterday tomorrow tonight ago overnight live realtime',
)
const OTHER_FIELD = words(
  'open opening opens opened volume volumes intraday dividend dividends split splits bid ask',
)
const OTHER_PERIOD = words(
  'month months monthly year years yearly annual annually quarter quarters quarterly weekly weekend',
)
const OTHER_DAYS = words('calendar business working')

/** Words that make a request unreadable, listed here so that a reason can be given. */
export const UNREAD_WORDS: ReadonlySet<string> = OTHER_DAY.union(OTHER_FIELD)
  .union(OTHER_PERIOD)
  .union(OTHER_DAYS)

/** Ask for prices; "share" and "stock" alone may ask for anything about a company. */
const OF_PRICES = words(
  'close closes closing closed closings price prices quote quotes history moving rolling ma sma',
)
const CLOSING = words('close closes closing closed closings')
const LISTED = words('stock stocks share shares trading ticker plot chart graph').union(CLOSING)
const NOT_THE_PRICE = /\bmarket (?:shares?|values?)\b/i
/** A yes-or-no question. */
const YES_OR_NO = /(?:^|[.?!;]\s*)(?:is|are|was|were|did|has|have|do)\b/i
const FRUIT = /\b(?:an?|each|one) apple\b(?! (?:stock|share|clos))|\bapple\b(?!')/
const SEPARATE_MEAN = /(?<!\b(?:moving|rolling)[ -])\b(?:averages?|mean)\b/i
const MEAN_OF_EXTREMES =
  /\b(?:averages?|mean)\b[^.?!;]{0,80}\bof(?: the| its)? (?:high|low|max|min|peak)/i
/** "The last week" is five trading days back; "last week" and "this week" are calendar weeks. */
const WEEK_BACK =
  /\b(?:(?:the|a|one)(?: (?:last|past|latest|most recent))?(?: trading)?|past(?: trading)?) week\b/i
const SOME_DAYS = /\b(?:days|sessions|weeks|previous|preceding|all|each)\b/i
const MOST = /\bmost\b(?! recent)|(?<!\bon )\btop\b/i

/** "In 30 days", not "in the last 30 days". */
const AHEAD = /\bin \d+ (?:trading )?(?:days|sessions|weeks)\b/i
const SEVERAL_EXTREMES = /\b(?:highest|lowest) \d+\b/i

/** Days of the only moving average that the tools compute. */
const WINDOW = 7

type Doubt = (wording: StockWording) => boolean

const has = (list: ReadonlySet<string>): Doubt => {
  return ({ said }) => !said.isDisjointFrom(list)
}

const DOUBTS: readonly (readonly [doubt: Doubt, why: string])[] = [
  [has(OTHER_DAY), 'prices are known up to the last day of the data, which need not be that day'],
  [has(OTHER_FIELD), 'closing prices are the only figures that are known of a share'],
  [has(OTHER_PERIOD), 'a period of prices is counted in trading days or in weeks of five'],
  [has(OTHER_DAYS), 'prices are known for trading days, and other days are asked for'],
  [({ strangeNumbers }) => strangeNumbers, 'it is not clear what each number counts'],
  [({ text }) => YES_OR_NO.test(text), 'a question for yes or no is not answered by prices'],
  [asksForSomethingElse, 'it is not said that closing prices are asked for'],
  [mayBeTheFruit, 'an apple may be a fruit'],
  [({ window }) => window !== null && window !== WINDOW, 'only a 7-day moving average is computed'],
  [
    ({ window, rows = WINDOW }) => window !== null && rows < window,
    'a 7-day moving average needs at least 7 days',
  ],
  [
    ({ text, window }) => window !== null && SEPARATE_MEAN.test(text),
    'a mean and a moving average are asked for at once',
  ],
  [
    ({ text }) => MEAN_OF_EXTREMES.test(text),
    'an average of highest and lowest prices is not computed',
  ],
  [({ text }) => MOST.test(text), 'it is not clear what "most" or "top" stands for'],
  [({ text }) => AHEAD.test(text), 'prices of days to come are not known'],
  [
    ({ text }) => SEVERAL_EXTREMES.test(text),
    'one highest or lowest price is computed, not several',
  ],
  [isHighOfDay, 'the high or low of a day is not known, only its closing price'],
  [
    ({ text, said }) => said.has('week') && !/\d|\bone\b/.test(text) && !WEEK_BACK.test(text),
    'it is not said whether a calendar week or five trading days are meant',
  ],
  [isOfUnknownLength, 'it is not said how many days are asked for'],
]

/** Why a request is ambiguous; undefined if it is not. */
export function stockDoubt(wording: StockWording): string | undefined {
  return DOUBTS.find(([doubt]) => doubt(wording))?.[1]
}

function asksForSomethingElse({ text, said, rows, plot }: StockWording): boolean {
  if (NOT_THE_PRICE.test(text)) return true
  return rows === undefined && !plot && said.isDisjointFrom(OF_PRICES) && !/\bhow\b/i.test(text)
}

function mayBeTheFruit({ text, said }: StockWording): boolean {
  return FRUIT.test(text) && said.isDisjointFrom(LISTED)
}

/** "The high" is a field of its own beside the close; "the highest price" refers to the closes. */
function isHighOfDay({ said }: StockWording): boolean {
  return !said.isDisjointFrom(words('high low')) && said.isDisjointFrom(CLOSING)
}

function isOfUnknownLength({ text, rows, average, window, extremes }: StockWording): boolean {
  if (rows !== undefined) return false
  return extremes || (average && window === null) || SOME_DAYS.test(text)
}
