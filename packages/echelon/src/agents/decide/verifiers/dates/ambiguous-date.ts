const NUMERIC = /\b(\d{1,2})([/.-])(\d{1,2})\2(?:\d{4}|\d{2})\b/g

/** Why a question does not name a single date: a numeric date whose day and month can be swapped. */
export function ambiguousDate(question: string): string | undefined {
  for (const [date, first = '', , second = ''] of question.matchAll(NUMERIC)) {
    const [a, b] = [Number(first), Number(second)]
    const isSwappable = a !== b && a >= 1 && b >= 1 && a <= 12 && b <= 12
    if (isSwappable) return `${date} can be two dates; write the month as a word`
  }
  return undefined
}
