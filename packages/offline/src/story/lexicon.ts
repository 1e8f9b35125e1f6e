/**
 * The effect of a verb on the quantity after it. `buy` and `sell` move goods one way and money the
 * other; `do` (read, drive, bake) adds up, and uses up the stock when "left" is asked; `share` divides;
 * `give` depends on the giver.
 */
export type Role =
  | 'have'
  | 'gain'
  | 'lose'
  | 'buy'
  | 'sell'
  | 'do'
  | 'give'
  | 'share'
  | 'cost'
  | 'end'

const VERBS: Readonly<Record<Role, string>> = {
  end: '(?:now|still) (?:has|have)|(?:has|have) now|ends? up with|ended up with',
  lose:
    '(?:got|gets|get|getting|flew|flies|fly|ran|run|runs|walked|drove|fell|falls|moved|went|goes|go) (?:off|away|out|home)' +
    '|loses?|lost|eats?|ate|eaten|spends?|spent|uses?|used|breaks?|broke|broken|drops?|dropped|donate[sd]?|pays?|paid' +
    '|throws?|threw|thrown|popped|pops?|died|dies?|drinks|drank|leaks?|leaked|removed?|removes|departed?|melted' +
    '|burned|burnt|fell|falls?|wilted|mail(?:s|ed)|withdrew|withdraws|(?:left|leaves?) (?:the|early|for)',
  gain:
    '(?:is|are|was|were) given|(?:got|gets|get|getting) on|gets?|got|receive[sd]?|finds?|found|picks?|picked|earns?|earned|collects?|collected' +
    '|adds?|added|wins?|won|saves?|saved|borrow(?:s|ed)|catch(?:es)?|caught|joins?|joined|arrives?|arrived|(?<!\\b(?:each|every|an?|one|per|the) )rose|rises?' +
    '|raised|deposit(?:s|ed)|came|comes?|boarded|lays?|laid|produce[sd]?|grew|grows?|gathers?|gathered|moved in|hatched' +
    '|bakes?|baked|makes?|made|writes?|wrote|paints?|painted|planted|scored|scores?|builds|built|prints?|printed|cooks?|cooked' +
    '|knit(?:s|ted)?|sews?|sewed',
  give: 'gives?|gave|giving|sends?|sent|lends?|lent',
  share:
    '(?:shares?|shared|splits?|divides?|divided|cuts?|splitting|sharing|dividing|packed|puts?|arrange[sd]?|placed?|places|distribute[sd]?|sorts?|sorted)',
  buy: 'buys?|bought|purchase[sd]?|orders|ordered',
  sell: 'sells?|sold',
  cost: 'costs?|is priced at|are priced at|charges|charged',
  do:
    'reads?|drives?|drove|walks?|walked|runs?|ran|rides?|rode|cycle[sd]?|flies|flew|travel(?:s|led|ed)?|swims?|swam' +
    '|hikes?|hiked|works?|worked|types?|typed' +
    '|jogs?|jogged|studied|studies|practice[sd]?|practises' +
    '|delivers?|delivered|washe[sd]|washes|goes|go|plays|played|watche[sd]|watches|solves?|solved|sleeps?|slept',
  have:
    'has|have|had|is|are|was|were|holds?|contains?|owns?|owned|weigh(?:s|ed)?|carries|carried|starts? with|started with' +
    '|begins? with|began with|keeps?|kept|needs?|takes care of|there (?:is|are|was|were)|brings?|brought|lasts?',
}

const ROLES: readonly (readonly [Role, RegExp])[] = Object.entries(VERBS).flatMap(([role, forms]) =>
  isRole(role) ? [[role, new RegExp(`^(?:${forms})$`)] as const] : [],
)

/** All verb forms, longer phrases first, for use inside a rule. */
export const VERB: string = `(?:${Object.values(VERBS).join('|')})`

/** The role of a verb form. The caller passes the phrase as it is, "flew away" or "flew". */
export const roleOf = (verb: string): Role | undefined =>
  ROLES.find(([, forms]) => forms.test(verb))?.[0]

function isRole(word: string): word is Role {
  return Object.hasOwn(VERBS, word)
}

/** Words that end the name of a thing: "3 red apples | to Anna". */
const FUNCTION_WORDS =
  'a|an|the|of|in|on|at|to|for|from|with|by|into|onto|among|between|and|or|but|then|than|as|if|while|so|that|which|who|when|where' +
  '|he|she|it|they|him|her|his|them|their|its|we|i|my|me|you|your|each|every|per|apiece|all|both|more|fewer|less|other|another' +
  '|is|are|was|were|be|been|do|does|did|will|would|can|could|should|has|have|had|not|no|some|any|many|much|how|what|equally|evenly' +
  '|together|altogether|left|remaining|now|away|off|today|yesterday|tomorrow|later|again|after|before|during|long|wide|tall|high' +
  '|old|older|younger|taller|shorter|longer|heavier|times|percent|dollars?|this|these|those|there|rest|daily|weekly|only|out|up|back' +
  '|equal|twice|also|still|per|until|over|under|about|worth|costing|containing|holding|total|ago|last|next|first|second|third|too|back|home|remains?|fit|come|stay|stayed'

/** Words that change a calculation. If no rule uses one, the reading is invalid. */
const CUES: string =
  'all but|half|twice|double[ds]?|triple[ds]?|more|fewer|less|than|each|every|apiece|per|times|rest|remaining|equally|evenly|except|not|never' +
  '|none|percent|average|mean|ratio|consecutive|or|least|most|maximum|minimum|some|several|many|few|couple|pair|pairs|dozens|ago|until' +
  '|without|neither|nor|instead|both|discount|off|tax|tip|increase[ds]?|decrease[ds]?|older|younger|as|if|daily|weekly|monthly|between' +
  '|only|next to|again|another|took|takes?|taken|would|should|must|profit|interest|square|cube|odd|even|prime|same|last|ignore' +
  '|rounds?|rounded|about|approximately|almost|nearly|empty|full|whole|entire|first|second|third|other|others|everyone|instructions|brothers|sisters'

/** One word of the name of a thing, in `tagged` text. */
export const WORD = "(?-i:[a-z])[a-z'-]*"

const NO_NAME = new RegExp(`(?:${FUNCTION_WORDS}|${VERB}|${CUES})\\b`, 'y')

/**
 * Capitalizes every word that cannot be part of a name. Patterns over the text ignore case and test
 * only for the capital, so that they need not repeat all of those words.
 */
export function tagged(text: string): string {
  return text.replaceAll(/[a-z]+/g, (word, at: number) => {
    NO_NAME.lastIndex = at
    return NO_NAME.test(text) ? word.replace(/^./, (first) => first.toUpperCase()) : word
  })
}

/** A word that can be skipped, whatever it means. */
export const PASSED: string = `(?!(?:${CUES})\\b)[a-z][a-z'-]*`

/** Pairs of opposite states of a seat, a room or a ticket. */
const STATES: readonly (readonly [string, string])[] = [
  ['empty|free|vacant|unoccupied|unsold|available|unused', 'taken|occupied|full|filled|sold|used'],
  ['broken|damaged|cracked|spoiled|rotten', 'whole|intact|undamaged|unbroken|good'],
  ['absent|missing|ill|sick', 'present'],
]

/** A word of any such pair, for use inside a rule. */
export const STATE: string = `(?:${STATES.flat().join('|')})`

/** Whether two words form one of the pairs. */
export const areOpposites = (a: string, b: string): boolean =>
  STATES.some((sides) => {
    const [one, other] = sides.map((words) => new RegExp(`^(?:${words})$`))
    return (one?.test(a) && other?.test(b)) || (one?.test(b) && other?.test(a))
  })

/** Units of time, for use inside a rule. */
export const TIME =
  'seconds?|minutes?|hours?|days?|nights?|mornings?|evenings?|weeks?|months?|years?|weekends?'

const IRREGULAR: Readonly<Record<string, string>> = {
  children: 'child',
  men: 'man',
  women: 'woman',
  people: 'person',
  feet: 'foot',
  mice: 'mouse',
  geese: 'goose',
  teeth: 'tooth',
}

/** A common stem for a noun's singular and plural; not necessarily an English word. */
export function stem(noun: string): string {
  if (Object.hasOwn(IRREGULAR, noun)) return IRREGULAR[noun] ?? noun
  const singular = /(?:ss|us|is)$/.test(noun) ? noun : noun.replace(/s$/, '')
  return singular.replace(/e$/, '').replace(/y$/, 'i').replace(/f$/, 'v')
}

/** "red marbles" → marbles of the kind "red". */
export function unitNamed(phrase: string): { readonly name: string; readonly kind: string } {
  const words = phrase.trim().split(' ')
  return { name: stem(words.at(-1) ?? ''), kind: words.slice(0, -1).join(' ') }
}

/** Money in the text's single currency. */
export const DOLLAR = 'dollar'

const stems = (names: string): ReadonlySet<string> => new Set(names.split('|').map(stem))
const TIMES = stems('second|minute|hour|day|night|morning|evening|week|month|year|weekend')
const DISTANCES = stems('mile|kilometer|kilometre|km|meter|metre|cm|millimeter|inch|foot|yard|lap')

/** Whether a stem names a length of time. */
export const isTime = (name: string): boolean => TIMES.has(name)

/** Whether a stem names a distance. */
export const isDistance = (name: string): boolean => DISTANCES.has(name)
