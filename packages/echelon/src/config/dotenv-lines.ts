/** A line that gives a variable its value, up to the value. */
const NAMED = /^\s*(?:export\s+)?[\w.-]+\s*=\s*/

/** The numbers of lines that are neither blank, nor a comment, nor a value: the parser skips them. */
export function brokenLines(text: string): readonly number[] {
  const broken: number[] = []
  const lines = text.split('\n')
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const [named] = NAMED.exec(line) ?? []
    if (named !== undefined) index += linesMore(line.slice(named.length), lines.slice(index + 1))
    else if (/^\s*[^\s#]/.test(line)) broken.push(index + 1)
  }
  return broken
}

/** How many lines after its own a value in quotes takes. */
function linesMore(value: string, rest: readonly string[]): number {
  const quote = value.charAt(0)
  if (!['"', "'", '`'].includes(quote) || value.includes(quote, 1)) return 0
  // A quote that nothing closes is a character like any other.
  return rest.findIndex((line) => line.includes(quote)) + 1
}
