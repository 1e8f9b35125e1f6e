import { monthNumbers, pluralWeekdays, weekdayNumbers } from './names.ts'
import type { Token } from './token.ts'

/** Words that may affect which date is meant. */
const DATE_WORDS: ReadonlySet<string> = new Set([
  ...monthNumbers.keys(),
  ...weekdayNumbers.keys(),
  ...pluralWeekdays.keys(),
  ...[
    'today tomorrow yesterday now',
    'days week weeks wk wks fortnight fortnights month months year years yr yrs decade decades',
    'century centuries weekdays workday workdays weekend weekends quarter quarters',
    'ago hence later earlier after before from since until till untill through thru between during',
    'within prior past following follow follows followed preceding precede precedes preceded',
    'this next last previous upcoming current',
    'plus minus add adding subtract subtracting less half few several couple dozen',
    'every each daily weekly monthly yearly annual annually biweekly quarterly other anniversary not except without',
    'excluding exclude excluded skipping skip omitting inclusive including exclusive holidays weekends',
    'least most roughly approximately nearly almost circa',
    'time hour hours hr hrs minute minutes min mins seconds am pm noon midnight clock oclock morning',
    'afternoon evening night tonight tonite utc gmt',
    'spring summer autumn winter eve eom eoy eod',
    'fiscal lunar julian hijri hebrew jewish islamic orthodox chinese persian coptic buddhist',
  ]
    .join(' ')
    .split(' '),
])

/** Names that are long enough to recognize with a typo. */
const NAMES = [
  ...[...monthNumbers.keys(), ...weekdayNumbers.keys()].filter((name) => name.length >= 6),
  'tomorrow',
  'yesterday',
]

/**
 * Whether an unread token may change which date is meant: a number, a word about time, or a near
 * miss of a name (`Septembr`). Any other word of a sentence is harmless.
 */
export function mattersToDate(token: Token): boolean {
  if (token.type === 'word') return DATE_WORDS.has(token.text) || isNearName(token.text)
  return token.type !== 'mark' || token.text === '+'
}

const isNearName = (word: string): boolean =>
  NAMES.some((name) => editDistance(word, name) <= (name.length < 8 ? 1 : 2))

/** Optimal string alignment distance: letters to add, drop, change or swap with a neighbor. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return Infinity
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let line = 1; line <= left.length; line += 1) {
    const next = [line]
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[line - 1] === right[column - 1]
      const swapped = left[line - 1] === right[column - 2] && left[line - 2] === right[column - 1]
      next[column] = Math.min(
        at(row, column) + 1,
        at(next, column - 1) + 1,
        at(row, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Infinity,
      )
    }
    before = row
    row = next
  }
  return at(row, right.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity
