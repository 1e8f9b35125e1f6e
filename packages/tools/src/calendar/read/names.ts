/** English names and their numbers, in lower case. */
type Names = ReadonlyMap<string, number>

const MONTHS = [
  ['January', 'jan'],
  ['February', 'feb'],
  ['March', 'mar'],
  ['April', 'apr'],
  ['May'],
  ['June', 'jun'],
  ['July', 'jul'],
  ['August', 'aug'],
  ['September', 'sep', 'sept'],
  ['October', 'oct'],
  ['November', 'nov'],
  ['December', 'dec'],
] as const

const WEEKDAYS = [
  ['Monday', 'mon'],
  ['Tuesday', 'tue', 'tues'],
  ['Wednesday', 'wed', 'weds'],
  ['Thursday', 'thu', 'thur', 'thurs'],
  ['Friday', 'fri'],
  ['Saturday', 'sat'],
  ['Sunday', 'sun'],
] as const

/** 1 for January. */
export const monthNumbers: Names = numbered(MONTHS)

/** 1 for Monday, as in ISO 8601. */
export const weekdayNumbers: Names = numbered(WEEKDAYS)

/** `Mondays` and so on. Only counted weekdays are plural. */
export const pluralWeekdays: Names = new Map(
  WEEKDAYS.map(([name], index) => [`${name.toLowerCase()}s`, index + 1]),
)

/** `January` for 1. */
export const monthName = (month: number): string => MONTHS[month - 1]?.[0] ?? ''

/** `Monday` for 1. */
export const weekdayName = (weekday: number): string => WEEKDAYS[weekday - 1]?.[0] ?? ''

function numbered(rows: readonly (readonly string[])[]): Names {
  return new Map(
    rows.flatMap((names, index) => names.map((name) => [name.toLowerCase(), index + 1] as const)),
  )
}
