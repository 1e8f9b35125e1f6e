import { readFigures } from '../../core/figures/read-figures.ts'

/** A number that a text says, with the values that an argument may have for it. */
export interface Said {
  readonly text: string
  readonly values: readonly number[]
  /** Values for an argument that is a part of a date, such as 5 for May. */
  readonly ofDate?: readonly number[]
}

/**
 * The numbers that a text says, in digits and in words. A percentage may be an argument as 40 or as .4, a date as its
 * day, month and year, and 3/4 as .75.
 */
export function figuresSaid(text: string): readonly Said[] {
  return [...ordinary(text), ...fractions(text), ...powers(text)]
}

function ordinary(text: string): readonly Said[] {
  return readFigures(text).flatMap((figure): readonly Said[] => {
    const { said } = figure
    switch (figure.kind) {
      case 'number':
        return [
          {
            text: said,
            values: figure.values.flatMap((value) =>
              figure.isPercent ? [value, value / 100] : [value],
            ),
          },
        ]
      case 'day':
        return [{ text: said, values: [figure.day] }]
      case 'date':
        return figure.days.map(({ year, month, day }) => ({
          text: said,
          values: year === undefined ? [day] : [day, year],
          ofDate: [month],
        }))
      case 'month':
        return [
          { text: said, values: figure.year === null ? [] : [figure.year], ofDate: [figure.month] },
        ]
      case 'time':
        return [
          {
            text: said,
            values: [figure.minutes, Math.floor(figure.minutes / 60), figure.minutes % 60],
          },
        ]
      case 'span':
      case 'id':
        return numbersIn(said).map((value) => ({ text: said, values: [value] }))
      case 'weekday':
      case 'relative':
        return []
    }
  })
}

/** Numbers within words, as in `3x^2`, `30m` and `H2O`. */
const numbersIn = (text: string): readonly number[] =>
  (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)

const fractions = (text: string): readonly Said[] =>
  [...text.slice(0, LONGEST_TEXT).matchAll(/(?<![\d/.])(\d{1,4})\/(\d{1,4})(?![\d/])/g)].map(
    ([said, above, below]) => ({ text: said, values: [Number(above) / Number(below)] }),
  )

/** `1.5e-3` and `2 x 10^5`. */
const powers = (text: string): readonly Said[] =>
  [
    ...text
      .slice(0, LONGEST_TEXT)
      .matchAll(
        /(?<![\d.])(\d{1,20}(?:\.\d{1,20})?)(?:e|\s?[x×*]\s?10\s?(?:\^|\*\*))\s?([-−]?\d{1,3})(?!\d)/gi,
      ),
  ].map(([said, digits, power = '']) => ({
    text: said,
    values: [Number(`${digits}e${power.replace('−', '-')}`)],
  }))

const LONGEST_TEXT = 50_000

/** True if one of the numbers equals `value`, apart from its sign, which words may express. */
export const isSaid = (value: number, said: readonly Said[], isOfDate = false): boolean =>
  said.some(({ values, ofDate = [] }) =>
    (isOfDate ? [...values, ...ofDate] : values).some((one) => isNear(one, value)),
  )

/** Equal, but for the rounding of a conversion. */
export const isNear = (one: number, other: number): boolean =>
  Math.abs(Math.abs(one) - Math.abs(other)) <= 1e-9 * Math.max(1, Math.abs(one))
