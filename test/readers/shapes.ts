import type { Reader } from './reader.ts'

/** A text of so many characters, made of one repeated piece. */
export interface Shape {
  readonly name: string
  readonly of: (length: number) => string
}

const repeated = (name: string, piece: string, before = '', after = ''): Shape => ({
  name,
  of: (length) =>
    `${before}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length) + after,
})

/** Texts on which common readers take quadratic or cubic time, or longer. */
export const SHAPES: readonly Shape[] = [
  repeated('open brackets', '['),
  repeated('open braces with names', '{"a":'),
  repeated('open parentheses', '('),
  repeated('open tags', '<a '),
  repeated('open comments', '<!--'),
  repeated('open links', '[a](<'),
  repeated('brackets in strings', '["[1,","'),
  repeated('quotes', '"'),
  repeated('single quotes', "'"),
  repeated('escaped quotes', '\\"'),
  repeated('backslashes', '\\'),
  repeated('backticks', '`'),
  repeated('a fence that is never closed', '\n', '```json\n', 'x'),
  repeated('blanks before the end', ' ', 'a', 'b'),
  repeated('newlines before the end', '\n', 'a', 'b'),
  repeated('tabs and blanks', ' \t'),
  repeated('digits', '9'),
  repeated('grouped digits', '1,234 '),
  repeated('commas', ','),
  repeated('dots', '.'),
  repeated('hyphens', '-'),
  repeated('underscores', '_'),
  repeated('asterisks', '*a '),
  repeated('one word', 'a'),
  repeated('capitals', 'A'),
  repeated('words', 'and '),
  repeated('numbers in words', 'twenty one hundred and '),
  repeated('sentences of a story', 'Ann has 3 apples and gives 2 to Bob. '),
  repeated('dates', 'March 3, 2025 and '),
  repeated('addresses', 'a@b.'),
  repeated('almost addresses', 'a.b@'),
  repeated('hosts', 'https://a:'),
  repeated('names of secrets', 'password is '),
  repeated('labels', 'token: '),
  repeated('hexadecimal groups', '2001:'),
  repeated('keys', 'eyJhbGciOi'),
  repeated('percent signs', '%41'),
  repeated('emoji', '\u{1f468}\u200d'),
  repeated('combining marks', '\u0301', 'e'),
  repeated('escape codes of a terminal', '\u001b['),
  repeated('rows', 'a,b;c|d\n'),
  repeated('list items', '- a: b\n'),
  repeated('nested list items', '- '),
  repeated('nested quotes', '> '),
  repeated('YAML anchors', '&a [*a, '),
  repeated('headings', '# a\n\n'),
]

/** Shapes in a reader's own format; on others it may stop at the first character. */
export function ownShapes({ samples }: Reader): readonly Shape[] {
  const [sample = ''] = samples
  const repeats = (piece: string, length: number): string =>
    piece.repeat(Math.ceil(length / Math.max(piece.length, 1)))
  const all: Shape[] = [
    { name: 'a sample again and again', of: (length) => repeats(sample, length) },
    { name: 'a sample with a long word', of: (length) => longer(sample, 'a'.repeat(length)) },
    { name: 'a sample with many words', of: (length) => longer(sample, repeats('a b. ', length)) },
  ]
  if (!/^\s*[[{]/.test(sample)) return all
  return [
    ...all,
    { name: 'a list of samples', of: (length) => `[${repeats(`${sample},`, length)}${sample}]` },
    {
      name: 'a sample with many fields',
      of: (length) => sample.replace('{', `{${fields(Math.ceil(length / 12))}`),
    },
  ]
}

/** Replaces the first occurrence. */
const longer = (sample: string, word: string): string => sample.replace(/[a-z]{2,}/i, () => word)

const fields = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"f${index}":[],`).join('')
