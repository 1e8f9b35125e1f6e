import type { ParamSpec } from '../intent.ts'

/** The form of identifiers such as `O-12345`: what stands before the digits, and how many there are. */
export interface IdForm {
  readonly prefix: string
  readonly digits: number
}

/** The form that a pattern such as `O-\d{5}` describes; `null` for any other pattern. */
export function idFormOf(spec: ParamSpec | undefined): IdForm | null {
  const [, prefix, digits] = /^([A-Za-z]{1,6}-?)\\d\{(\d{1,2})\}$/.exec(spec?.pattern ?? '') ?? []
  return prefix === undefined || digits === undefined
    ? null
    : { prefix: prefix.toUpperCase(), digits: Number(digits) }
}

/** A text whose identifiers have the shop's form. */
export interface PlainIds {
  readonly text: string
  /** An identifier of the customer that a text nearly gives: one digit is missing, wrong or too many. */
  readonly guess: string | null
}

/**
 * Writes the identifiers of a text in the shop's form, as people write them: `o12345`, `0-12345`, `O 12 345`,
 * `order 12345`, and `12345` alone.
 * @param own the customer's identifiers: digits alone count if they are one of these
 */
export function withPlainIds(
  text: string,
  form: IdForm,
  own: readonly string[],
  isAsked: boolean,
): PlainIds {
  const { prefix, digits } = form
  const known = new Set(own)
  const letter = prefix.replace('-', '')
  const lead = letter === 'O' ? '[o0]' : letter
  const spaced = `\\d(?:[ ]?\\d){${digits - 1}}`
  const isWhole = isAsked || /^\P{L}*$/u.test(text)
  const written = text
    // A letter, perhaps a sign, and the digits, perhaps in groups.
    .replaceAll(
      new RegExp(
        `(?<![\\p{L}\\p{N}-])${lead}[ ]?[-.:#–]?[ ]?(${spaced})(?![\\p{L}\\p{N}]|-\\p{N})`,
        'giu',
      ),
      (_, found: string) => prefix + plainDigits(found),
    )
    // The digits after a word for an order.
    .replaceAll(
      new RegExp(
        `(?<!,\\s*)(${ORDER_WORD}\\s*(?:is|was|=|:)?\\s*#?\\s*)(${spaced})(?![\\p{L}\\p{N}.,]\\p{N}|[\\p{L}\\p{N}])`,
        'giu',
      ),
      (_, word: string, found: string) => `${word}${prefix}${plainDigits(found)}`,
    )
    // The digits alone.
    .replaceAll(
      new RegExp(
        `(?<![\\p{L}\\p{N}$€£.,-]|-[ ])#?(${spaced})(?![\\p{L}\\p{N}%]|[.,-]\\p{N})`,
        'gu',
      ),
      (whole: string, found: string) => {
        const id = prefix + plainDigits(found)
        return known.has(id) || (isWhole && !/\s/u.test(found.trim())) ? id : whole
      },
    )
  return { text: written, guess: guessIn(written, form, own) }
}

const ORDER_WORD =
  '\\b(?:orders?|purchase|parcel|package|shipment|delivery|number|numbers|no\\.?|nr\\.?|num|id|ref(?:erence)?)'

const plainDigits = (text: string): string => text.replaceAll(/\D/g, '')

/** Digits that are nearly one identifier of the customer, and of no other. */
function guessIn(text: string, { prefix, digits }: IdForm, own: readonly string[]): string | null {
  const letter = prefix.replace('-', '')
  const lead = letter === 'O' ? '[o0]' : letter
  const near = new RegExp(
    `(?:(?<![\\p{L}\\p{N}-])${lead}[ ]?[-#]?[ ]?|${ORDER_WORD}\\s*(?:is|:)?\\s*#?\\s*)(\\d{${digits - 1},${digits + 1}})(?![\\p{L}\\p{N}]|[.,]\\p{N})`,
    'giu',
  )
  for (const [, found = ''] of text.matchAll(near)) {
    const said = prefix + found
    if (own.includes(said)) continue
    const close = own.filter((id) => isNear(id, said))
    const [only] = close
    if (only !== undefined && close.length === 1) return only
  }
  return null
}

/** Whether one text becomes the other by one character more, less or other, or by two swapped. */
export function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const rest = (text: string, skip: number): string => text.slice(from + skip)
  if (one.length === other.length) {
    const isSwapped = one[from] === other[from + 1] && one[from + 1] === other[from]
    return rest(one, 1) === rest(other, 1) || (isSwapped && rest(one, 2) === rest(other, 2))
  }
  return one.length > other.length
    ? rest(one, 1) === rest(other, 0)
    : rest(one, 0) === rest(other, 1)
}
