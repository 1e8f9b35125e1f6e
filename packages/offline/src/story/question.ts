import { DOLLAR, stem, tagged, unitNamed, WORD } from './lexicon.ts'
import type { Unit } from './scene.ts'

/** The operation a question asks for. */
type Wanted =
  | 'amount'
  | 'left'
  | 'start'
  | 'difference'
  | 'each'
  | 'average'
  | 'percent'
  | 'speed'
  | 'area'
  | 'perimeter'
  | 'added price'

export interface Question {
  readonly wanted: Wanted
  /** Undefined for the only unit of the text. */
  readonly unit: Unit | 'distance' | 'length' | undefined
  /** Stem of the owner asked about; `''` for none, `they` for several. */
  readonly owner: string
  /** Whether it asks for one owner's amount. */
  readonly possessor: boolean
  /** The owner or thing after "than". */
  readonly than: string
  /** Stem of X in "for each X". */
  readonly each: string
  /** "Altogether", "in total". */
  readonly altogether: boolean
  /** Whether it asks for the current amount, after gains and losses ("how many does he have"). */
  readonly state: boolean
  /** Whether the answer must be a whole number. */
  readonly countable: boolean
  /** Whether it asks how many are needed, so that a fraction rounds up. */
  readonly needed: boolean
  readonly text: string
  /** Stems of all its words. */
  readonly words: ReadonlySet<string>
  /** The question without its head, which can hold further quantities. */
  readonly details: string
}

const HEAD =
  /\b(?:how (?:many|much|old|far|long|fast|tall|high|deep|heavy)|(?:in )?what (?:is|was|will|would|percent|percentage|do|does|did|are)|find|calculate|work out)\b/

/** Splits a text into the story, including an "if …" after the question, and the question. */
export function splitQuestion(
  text: string,
): { readonly story: string; readonly question: string } | undefined {
  const heads = [...text.matchAll(new RegExp(HEAD, 'g'))]
  const head = heads.at(-1)
  if (head === undefined || heads.length > 1) return undefined
  const question = text.slice(head.index)
  const [asked = '', ...after] = question.split(/[?.!;](?: |$)/)
  const [core = '', condition = ''] = asked.split(/,? (?:if|when) (?=[a-z#])/)
  const before = text.slice(0, head.index).replace(/^if |(?<=[.,] )if /g, '')
  const story = `${before} ${condition}${after.join('. ')}`.trim()
  return { story: story.replace(/\b(?:then|so),? *$/, '').trim(), question: core.trim() }
}

const PRICE_WORDS =
  /\b(?:cost|costs|pay|spend|spent|earn|earned|money|change|price|owe|make|raise|saved|save|bill|dollars?|charge)\b/
const TOTAL = /\b(?:altogether|in all|in total|total|combined|together|both)\b/
const LEFT = /\b(?:left|remain|remains|remaining|change|still|stay|stayed)\b/
const START =
  /\b(?:at first|to start|start with|at the start|in the beginning|originally|to begin with|initially|begin with)\b/
const EACH = new RegExp(
  `\\b(?:each|every|per)(?: (?:of the )?(${WORD}))?|\\b(?:one|an?) (${WORD}) (?:cost|get|pay|hold|weigh)`,
  'i',
)
const STATE = /\b(?:has|have|had|is|are|was|were|be|there)\b/
const NEEDED = /^how many .*\b(?:needs?|needed|required|necessary)\b/
/** Measured rather than counted quantities: half a liter is a valid answer. */
const MEASURED =
  /^how many (?:more )?(?:liter|gallon|pint|km|mile|(?:centi|milli)?meter|cm|inche|feet|foot|yard|gram|kg|kilogram|kilo|pound|ounce|ton|cup|second|minute|hour|day|week|month|year|dollar|cent)s?\b/
const POSSESSOR = new RegExp(
  `\\b(?:does|did|do|will) (?:(?:the|his|her|their) )?(?:he|she|${WORD}) (?:still )?have\\b`,
  'i',
)
const COUNTED = new RegExp(
  `^how many (?:(?:more |fewer |of the )?|(?:are|were) )((?:${WORD})(?: (?:${WORD})){0,2})`,
  'i',
)
const AUXILIARY = `(?:does|did|do|will|is|was|has|have|had|would|are|can) (?:(?:the|his|her|their) )?([a-z]+)`
const BEYOND =
  /\b(?:some|could|should|might|not|never|except|or|only|at least|at most|possible|maximum|minimum|half|twice|original|regular|usual|before)\b/

/** Parses a question; undefined for an unknown form. `speaker` is the person that "he" or "she" means. */
export function parseQuestion(text: string, speaker: string): Question | undefined {
  if (BEYOND.test(text)) return undefined
  const kind = unitOf(text)
  const [, who = ''] = new RegExp(AUXILIARY).exec(text) ?? []
  const each = EACH.exec(tagged(text.replaceAll(RATE, '')))
  const wanted = wantedBy(text, each !== null)
  return {
    wanted,
    unit: kind === 'sole' ? undefined : kind,
    owner: /^(?:he|she|it|i)$/.test(who) ? speaker : /^(?:they|we)$/.test(who) ? 'they' : stem(who),
    possessor: POSSESSOR.test(tagged(text)),
    than: stem(/\bthan (?:(?:the|his|her) )?([a-z]+)/.exec(text)?.[1] ?? ''),
    each: stem((each?.[1] ?? each?.[2] ?? '').toLowerCase()),
    altogether: TOTAL.test(text),
    state: STATE.test(text),
    countable:
      text.startsWith('how many') &&
      wanted !== 'average' &&
      !MEASURED.test(text) &&
      !/\b(?:hours|miles|minutes|days)\b/.test(text),
    needed: NEEDED.test(text) && !MEASURED.test(text),
    text,
    words: new Set(text.split(/[^a-z]+/).map(stem)),
    details: details(text),
  }
}

function wantedBy(text: string, each: boolean): Wanted {
  if (/\b(?:average speed|speed|how fast)\b/.test(text)) return 'speed'
  if (/\b(?:average|mean)\b/.test(text)) return 'average'
  if (/\bpercent(?:age)?\b/.test(text)) return 'percent'
  if (/\b(?:fence|fencing|all the way around|all around)\b/.test(text)) return 'perimeter'
  if (/\b(?:area|perimeter|square (?:meters?|feet|cm|km|miles?|yards?|inches))\b/.test(text))
    return /\b(?:area|square)\b/.test(text) ? 'area' : 'perimeter'
  if (/\b(?:tip|tax|discount)\b/.test(text)) return 'added price'
  if (/\b(?:more|fewer|less|older|younger|difference|taller|longer|farther|further)\b/.test(text))
    return 'difference'
  if (START.test(text)) return 'start'
  if (LEFT.test(text)) return 'left'
  return each ? 'each' : 'amount'
}

function unitOf(text: string): Unit | 'distance' | 'length' | 'sole' {
  const counted = COUNTED.exec(tagged(text))?.[1]
  if (counted !== undefined) return unitNamed(counted.toLowerCase())
  if (/^how far|\bdistance\b/.test(text)) return 'distance'
  if (text.startsWith('how long')) return 'length'
  if (/^how old|\bage\b/.test(text)) return unitNamed('year')
  if (PRICE_WORDS.test(text)) return unitNamed(DOLLAR)
  return 'sole'
}

const RATE = /#\d+ (?:[a-z]+ )?(?:per|an?|each|every) [a-z]+/g

/** Quantities in the question: "for 72 crayons", "in 5 days", "do three cost". */
function details(text: string): string {
  const found = text.match(
    /#\d+ (?:[a-z]+ )?(?:per|an?|each|every) [a-z]+|(?:(?:older|more|fewer|less) )?#\d+(?: [a-z]+)?/g,
  )
  return (found ?? []).join(', ').replaceAll(/(#\d+) (?:cost|is|be|will|do|does|at|if)\b/g, '$1')
}
