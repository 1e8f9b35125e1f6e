/** A verb's effect on the things counted after it. */
export type Deed =
  | 'have'
  | 'be'
  | 'gain'
  | 'lose'
  | 'give'
  | 'buy'
  | 'sell'
  | 'cost'
  | 'pay'
  | 'earn'
  | 'do'
  | 'put'
  | 'share'
  | 'need'
  | 'come'
  | 'leave'
  | 'take'

/** Every verb form that is read, separated by bars, base form first. */
const VERBS: readonly (readonly [Deed, string])[] = [
  ['have', 'have has had|own owns owned|hold holds|contain contains'],
  ['be', 'be is are was were'],
  [
    'gain',
    'get gets got|receive receives received|find finds found|pick picks picked|collect collects collected|win wins won|make makes made|bake bakes baked|gather gathers gathered|catch catches caught|score scores scored|plant plants planted',
  ],
  [
    'lose',
    'lose loses lost|eat eats ate|use uses used|drink drinks drank|break breaks broke|donate donates donated|drop drops dropped|delete deletes deleted|throw throws threw',
  ],
  ['give', 'give gives gave'],
  ['buy', 'buy buys bought'],
  ['sell', 'sell sells sold'],
  ['cost', 'cost costs'],
  ['pay', 'pay pays paid leaves|spend spends spent'],
  ['earn', 'earn earns earned|save saves saved'],
  [
    'do',
    'do did|read reads|walk walks walked|run runs ran|ride rides rode|travel travels traveled travelled|drive drives drove|fly flies|work works worked|print prints printed|fill fills filled|write writes wrote|type types typed|drip drips|go goes went|play plays played|swim swims swam|produce produces produced|solve solves solved|repair repairs repaired|fix fixes fixed|paint paints painted|deliver delivers delivered|wash washes washed|build builds built|clean cleans cleaned|sew sews sewed|knit knits knitted|jog jogs jogged|hike hikes hiked|cook cooks cooked|watch watches watched',
  ],
  ['put', 'put puts|pack packs packed|place places placed'],
  ['share', 'share shares shared|divide divides divided|split splits'],
  ['need', 'need needs needed|want wants wanted'],
  ['come', 'come came comes|get-on|join joins joined|arrive arrives arrived'],
  ['leave', 'flew|get-off|leave left|pop popped|die died|melt melted|burst|rot rotted'],
  ['take', 'take takes'],
]

const FORMS: ReadonlyMap<string, { readonly deed: Deed; readonly verb: string }> = new Map(
  VERBS.flatMap(([deed, verbs]) =>
    verbs.split('|').flatMap((forms) => {
      const [verb = '', ...others] = forms.split(' ')
      return [verb, ...others].map((form) => [form, { deed, verb }] as const)
    }),
  ),
)

/** The deed and the base form of a verb, or undefined for any other word. */
export function verbOf(word: string): { readonly deed: Deed; readonly verb: string } | undefined {
  return FORMS.get(word)
}

const PAST: ReadonlySet<string> = new Set(
  VERBS.flatMap(([, verbs]) =>
    verbs.split('|').flatMap((forms) => forms.split(' ').slice(1)),
  ).filter((form) => !form.endsWith('s') || ['was'].includes(form)),
)
const NOT_PAST = new Set('are am costs read put cost'.split(' '))
/** Past forms listed first because the verb has no other form here. */
const PAST_ALONE = new Set('flew shared divided burst rotted'.split(' '))

/** Whether a form of a known verb tells of the past. */
export function isPastForm(word: string): boolean {
  return PAST_ALONE.has(word) || (PAST.has(word) && !NOT_PAST.has(word))
}

const IRREGULAR: Readonly<Record<string, string>> = {
  children: 'child',
  people: 'person',
  men: 'man',
  women: 'woman',
  feet: 'foot',
  shelves: 'shelf',
  scarves: 'scarf',
  wolves: 'wolf',
  calves: 'calf',
  knives: 'knife',
  leaves: 'leaf',
  loaves: 'loaf',
  geese: 'goose',
  teeth: 'tooth',
  mice: 'mouse',
  pence: 'penny',
  cookies: 'cookie',
  movies: 'movie',
  ties: 'tie',
  pies: 'pie',
  buses: 'bus',
  bus: 'bus',
  gas: 'gas',
  kilometers: 'km',
  kilometres: 'km',
  kilometer: 'km',
  kids: 'child',
  kid: 'child',
}

/** The singular of a noun in lower case; a guess from its ending, equal for both forms. */
export function singular(noun: string): string {
  const known = IRREGULAR[noun]
  if (known !== undefined) return known
  if (/(?:ss|us|is)$/.test(noun)) return noun
  if (noun.endsWith('ies') && noun.length > 4) return `${noun.slice(0, -3)}y`
  if (/(?:ch|sh|x|ss|zz|to)es$/.test(noun)) return noun.slice(0, -2)
  return noun.endsWith('s') && noun.length > 2 ? noun.slice(0, -1) : noun
}

/** Kinds that a wider word includes. Closed: an unlisted kind is a different thing. */
const KINDS: Readonly<Record<string, string>> = {
  child: 'boy girl',
  fruit: 'apple pear orange banana peach plum mango lemon cherry',
  flower: 'rose tulip daisy lily sunflower',
  pet: 'cat dog rabbit hamster',
  animal: 'cat dog cow sheep hen goat horse pig duck chicken rabbit',
}

/** Whether `narrow` is `wide` or a kind of it. */
export function isKindOf(narrow: string, wide: string): boolean {
  return narrow === wide || (KINDS[wide]?.split(' ').includes(narrow) ?? false)
}

/** Number of the second unit in one of the first. Months have no fixed number of days or weeks. */
export const UNITS: readonly (readonly [whole: string, part: string, count: number])[] = [
  ['minute', 'second', 60],
  ['hour', 'minute', 60],
  ['day', 'hour', 24],
  ['week', 'day', 7],
  ['year', 'month', 12],
]

/** Units that "how long" asks for. */
export const TIMES: readonly string[] = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year']
/** Units that "how far" asks for. */
export const LENGTHS: readonly string[] = ['mile', 'km', 'meter', 'metre', 'foot', 'm', 'cm']

/** Poses at a place; they distinguish people as places do. */
export const POSES: ReadonlySet<string> = new Set(
  'sitting standing playing swimming riding waiting working sleeping resting hiding'.split(' '),
)

/** Adjectives that distinguish things of one name; used alone they borrow the next noun. */
export const COLORS: ReadonlySet<string> = new Set(
  'red blue green yellow black white brown pink purple orange gray grey big small'.split(' '),
)
