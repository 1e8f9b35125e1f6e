/** The part of an assignment before the value. */
const NAMED = /^\s*(?:export\s+)?[\w.-]+\s*=\s*/

/** The numbers of lines that are not blank, a comment or a value; the parser skips them. */
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

/** The number of further lines that a quoted value takes. */
function linesMore(value: string, rest: readonly string[]): number {
  const quote = value.charAt(0)
  if (!['"', "'", '`'].includes(quote) || value.includes(quote, 1)) return 0
  // An unclosed quote is an ordinary character.
  return rest.findIndex((line) => line.includes(quote)) + 1
}
