import { oneCurrency } from './currency.ts'
import { type Expression, literal, over, times } from './expression.ts'
import { SMALL, TENS } from './number-words.ts'

/** A text with its numbers replaced by `#0`, `#1`, …, so that rules can match the words. */
export interface Marked {
  /** Lower case, single spaces; `$5` became `#0 dollar`, `5%` became `#0 percent`. */
  readonly text: string
  /** The number behind each mark. */
  readonly numbers: readonly Expression[]
}

const SCALES = { dozen: '12', hundred: '100', thousand: '1000', million: '1000000' }
const PARTS = {
  half: '2',
  third: '3',
  quarter: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
  hundredth: '100',
}

const ORDINALS = 'second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
const POWER = new RegExp(
  `(?<=[a-z\\d)] )to the (?:(\\d+)(?:st|nd|rd|th)|(${ORDINALS.join('|')}))(?: power)?(?! ?(?:of|from|decimal|place))\\b`,
  'g',
)

const DECIMALS: Readonly<Record<string, string>> = {
  'a half': '5',
  'one half': '5',
  'a quarter': '25',
  'one quarter': '25',
  'three quarter': '75',
}
const AND_A_PART = new RegExp(
  `(?<![\\w.,-])(?<!(?:ty|hundred|thousand|and) )(\\d+|${SMALL.slice(1).toReversed().join('|')}) and (a half|one half|a quarter|one quarter|three quarters)\\b(?! of\\b)`,
  'g',
)
const DIGIT = SMALL.slice(0, 10).join('|')
const POINT = new RegExp(
  `(?<![\\w-])(?<!(?:ty|hundred|thousand|and) )(${SMALL.toReversed().join('|')}) point ((?:${DIGIT})(?: (?:${DIGIT}))*)\\b`,
  'g',
)

const words = (list: readonly string[]): string => `(?:${list.toReversed().join('|')})`
const BELOW_100 = `(?:${words(TENS)}(?:[- ]${words(SMALL.slice(1, 10))})?|${words(SMALL)})`
const BELOW_1000 = `(?:(?:${BELOW_100}|an?) hundred(?:(?: and)? ${BELOW_100})?|${BELOW_100})`
const SPELLED = `(?:(?:${BELOW_1000}|an?) thousand(?:(?: and)? ${BELOW_1000})?|${BELOW_1000})`
const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+`

const NUMBER = new RegExp(
  [
    String.raw`(?<![\w.#])(?:(?<twice>twice|thrice)\b`,
    String.raw`(?:(?<over>an?|${words(SMALL)})[ -])?(?<part>half|${words(Object.keys(PARTS))}s?)\b(?= of\b| as\b| more than\b| less than\b|(?<=\bby (?:\w+[ -])?\w+)(?! \w))`,
    String.raw`(?<above>\d+) ?/ ?(?<below>\d+)(?= (?:of|is|are|was|were)\b)`,
    String.raw`(?<money>\$ ?)?(?:(?<digits>${DIGITS})(?!\d|,\d|(?:st|nd|rd|th)\b)|(?<spelled>${SPELLED})\b)` +
      `(?: (?<scale>${words(Object.keys(SCALES))})\\b)?`,
    String.raw`(?:an? )?(?<dozen>dozen)\b)`,
  ].join('|'),
  'g',
)

/** Marks the numbers of a text, in digits and in words. */
export function markNumbers(source: string): Marked {
  const numbers: Expression[] = []
  const text = tidy(source).replaceAll(NUMBER, (...match) => {
    const groups: Readonly<Record<string, string | undefined>> = match.at(-1)
    numbers.push(numeral(groups, numbers.length))
    const unit = groups['money'] !== undefined ? ' dollar' : groups['twice'] ? ' times' : ''
    return `#${numbers.length - 1}${unit} `
  })
  return {
    text: text
      .replace(/\s+/g, ' ')
      .replaceAll(/(?<=#\d+) -(?=[a-z])/g, ' ')
      .replace(/ (?=[,.?!;:])/g, '')
      .trim(),
    numbers,
  }
}

function tidy(source: string): string {
  return (
    oneCurrency(source.toLowerCase())
      // A mark in the source would stand for a number that does not exist.
      .replaceAll('#', '№')
      .replaceAll(/[‘’]/g, "'")
      .replaceAll(/[−–—]/g, '-')
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replaceAll(/(?<=\d) ?x ?(?=\d)/g, ' * ')
      .replaceAll(/\bone-(?:off|time)\b/g, 'single')
      .replaceAll(AND_A_PART, (_, whole: string, part: string) => {
        const units = SMALL.includes(whole) ? SMALL.indexOf(whole) : whole
        return `${units}.${DECIMALS[part.replace(/s$/, '')] ?? '0'}`
      })
      .replaceAll(POINT, (_, whole: string, digits: string) =>
        [
          SMALL.indexOf(whole),
          digits
            .split(' ')
            .map((word) => SMALL.indexOf(word))
            .join(''),
        ].join('.'),
      )
      .replaceAll('%', ' percent')
      .replaceAll(POWER, (_, digits: string, word: string) => {
        const exponent = word ? 2 + ORDINALS.indexOf(word) : digits
        return `to the power of ${exponent}`
      })
      .replaceAll(/\s+/g, ' ')
  )
}

type Groups = Readonly<Record<string, string | undefined>>

function numeral(groups: Groups, position: number): Expression {
  const { twice, part, over: share = 'a', digits, spelled = '', scale } = groups
  if (twice !== undefined) return literal(twice === 'twice' ? '2' : '3', position)
  if (groups['above'] && groups['below']) {
    return over(literal(groups['above'], position), literal(groups['below']))
  }
  if (part !== undefined) {
    const denominator = lookUp(PARTS, part.replace(/s$/, '')) ?? '1'
    return over(literal(spell(share), position), literal(denominator))
  }
  if (groups['dozen'] !== undefined) return literal(SCALES.dozen, position)
  const written = digits === undefined ? spell(spelled) : digits.replaceAll(',', '')
  const number = literal(written.replace(/^0+(?=\d)/, ''), position)
  return scale === undefined ? number : times(number, literal(lookUp(SCALES, scale) ?? '1'))
}

function lookUp(table: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

/** "one hundred and five" → "105" */
function spell(phrase: string): string {
  let thousands = 0
  let rest = 0
  for (const word of phrase.split(/[ -]/)) {
    if (word === 'a' || word === 'an') rest = 1
    else if (word === 'hundred') rest *= 100
    else if (word === 'thousand') {
      thousands = rest * 1000
      rest = 0
    } else if (TENS.includes(word)) rest += 20 + 10 * TENS.indexOf(word)
    else rest += Math.max(0, SMALL.indexOf(word))
  }
  return String(thousands + rest)
}
