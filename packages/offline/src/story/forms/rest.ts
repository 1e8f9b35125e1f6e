import { type Expression, minus, over, times } from '../../expression.ts'
import { stem, WORD } from '../lexicon.ts'
import { ASKED, type Form, form, type Found, HUNDRED, number, ONE, THING } from './form.ts'

const WHOLE = `(?:(?:(?:in|at|on|of) (?:an? |the )?(?:${THING} (?:of|with) )?|there (?:are|were) |${THING} (?:has|have|had) |(?:an? )?${THING} of )?(?:the )?${number('whole')} (?<what>${THING})(?: in ${THING}| at ${THING})?)`
const SHARE = (n: string): string =>
  `(?:#(?<above${n}>\\d+) ?/ ?#(?<below${n}>\\d+)|#(?<part${n}>\\d+)(?<percent${n}> percent)?)(?: of (?:them|these|those|(?:the |its )?${THING}))?`
/** The predicate of a part: "walk to school", "are red". */
const SAID = `(?:[a-z'-]+)(?: [a-z'-]+){0,4}`
const REST =
  '(?:the|all the) (?:rest|others|remaining (?:ones|[a-z]+)|other ones)(?: of (?:them|the [a-z]+))?'

/** A whole, one or two shares with a predicate, and the rest with another. */
export const REST_FORMS: readonly Form[] = [
  form(
    `${WHOLE}[,.;]? (?:and )?${SHARE('1')} (?<said1>${SAID}),?(?:[.;]| and|,) ${REST} (?<rest>${SAID})${ASKED}how many(?: (?<asked>of them|of the ${WORD}|${WORD}))? (?<question>${SAID})`,
    ofOne,
  ),
  form(
    `${WHOLE}[,.;]? (?:and )?${SHARE('1')} (?<said1>${SAID}), ${SHARE('2')} (?<said2>${SAID}),?(?:[.;]| and|,) ${REST} (?<rest>${SAID})${ASKED}how many(?: (?<asked>of them|of the ${WORD}|${WORD}))? (?<question>${SAID})`,
    ofTwo,
  ),
]

function ofOne(found: Found): Expression | undefined {
  const [whole, share] = [found.number('whole'), shareOf(found, '1')]
  if (!whole || !share || !asksOfWhole(found)) return undefined
  if (same(found.words('question'), found.words('rest'))) return times(whole, minus(ONE, share))
  return same(found.words('question'), found.words('said1')) ? times(whole, share) : undefined
}

function ofTwo(found: Found): Expression | undefined {
  const [whole, first, second] = [found.number('whole'), shareOf(found, '1'), shareOf(found, '2')]
  if (!whole || !first || !second || !asksOfWhole(found)) return undefined
  return same(found.words('question'), found.words('rest'))
    ? times(whole, minus(minus(ONE, first), second))
    : undefined
}

/** A fraction or a percentage; a plain number is not a share. */
function shareOf({ number, words }: Found, n: string): Expression | undefined {
  const [above, below, part] = [number(`above${n}`), number(`below${n}`), number(`part${n}`)]
  const share = above && below ? over(above, below) : part
  const value = share && words(`percent${n}`) !== '' ? over(share, HUNDRED) : share
  return value && value.value < 1 && value.text.includes('/') ? value : undefined
}

function asksOfWhole({ words }: Found): boolean {
  const last = (phrase: string): string => stem(phrase.split(' ').at(-1) ?? '')
  const asked = words('asked')
  return asked === '' || asked === 'of them' || last(asked) === last(words('what'))
}

/** Treats "take the bus" of many and "takes the bus" of one as equal. */
function same(a: string, b: string): boolean {
  const [one, other] = [a, b].map((phrase) =>
    phrase
      .replace(/^(?:do|does|did|will) /, '')
      .replace(/^(?:is|are|was|were) /, 'are ')
      .split(' ')
      .map(stem)
      .join(' '),
  )
  return one === other
}
