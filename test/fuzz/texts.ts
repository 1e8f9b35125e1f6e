import * as fc from 'fast-check'

/*
 * Texts that nearly fit a format: samples that are cut, doubled, spliced with others, and changed in
 * places; and random sequences of the pieces of samples.
 */
const PIECES = [
  '',
  '\u0000',
  '\ud800',
  '\udc00',
  '\u202e',
  '\u001b[31m',
  '\ufeff',
  '\u2028',
  '1e400',
  '-0',
  '99999999999999999999999999',
  '0.1e-400',
  '0x10',
  'NaN',
  'null',
  'true',
  '"__proto__":{"a":1},',
  '"constructor":1,',
  '"toString":null,',
  '"$ref":"#",',
  '"a":1,"a":2,',
  '&a [*a]',
  '<<: *a',
  '!!js/function ',
  '${HOME}',
  '\\u0000',
  '\\',
  '"',
  "'",
  '`',
  '\n',
  '\r\n',
  '\t',
  '---\n',
  'data: ',
  '[DONE]',
  '%',
  '%zz',
  '../',
  '\u0130',
  '\u1e9e',
  '\u{1f468}\u200d\u{1f469}',
]
const NESTING = ['[', '{"a":', '(', '<b>', '> ', '- ', '"', '*', '\\', '((a', '&a [', 'not ']

type Change = (text: string) => string

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const at = (where: number, text: string): number => Math.floor(where * (text.length + 1))

/** Replaces so many characters of a text. */
const spliced = (text: string, where: number, count: number, piece: string): string => {
  const from = at(where, text)
  return text.slice(0, from) + piece + text.slice(from + count)
}

function changes(samples: readonly string[]): fc.Arbitrary<Change> {
  const insert = fc.tuple(place, fc.constantFrom(...PIECES), fc.nat({ max: 4 })).map(
    ([where, piece, count]): Change =>
      (text) =>
        spliced(text, where, count, piece),
  )
  const flip = fc.tuple(place, fc.integer({ min: 0, max: 0xffff })).map(
    ([where, code]): Change =>
      (text) =>
        spliced(text, where, 1, String.fromCharCode(code)),
  )
  const cut = fc.tuple(place, place).map(
    ([a, b]): Change =>
      (text) =>
        text.slice(at(Math.min(a, b), text), at(Math.max(a, b), text)),
  )
  const double = fc
    .tuple(place, place, fc.integer({ min: 2, max: 200 }))
    .map(([a, b, times]): Change => (text) => {
      const piece = text.slice(at(Math.min(a, b), text), at(Math.max(a, b), text))
      return spliced(text, a, 0, piece.slice(0, 500).repeat(times))
    })
  const splice = fc.tuple(place, place, fc.constantFrom(...samples)).map(
    ([a, b, other]): Change =>
      (text) =>
        text.slice(0, at(a, text)) + other.slice(at(b, other)),
  )
  const nest = fc.tuple(place, fc.constantFrom(...NESTING), fc.integer({ min: 60, max: 3000 })).map(
    ([where, piece, times]): Change =>
      (text) =>
        spliced(text, where, 0, piece.repeat(times)),
  )
  const number = fc
    .constantFrom('1e400', '-1', '0', '1.5', '9007199254740993', '1e21', '-0', 'null', '"1"')
    .map(
      (other): Change =>
        (text) =>
          text.replace(/-?\d+(?:\.\d+)?/, other),
    )
  return fc.oneof(
    { weight: 6, arbitrary: insert },
    { weight: 4, arbitrary: flip },
    { weight: 3, arbitrary: number },
    { weight: 2, arbitrary: cut },
    { weight: 2, arbitrary: splice },
    { weight: 1, arbitrary: double },
    { weight: 1, arbitrary: nest },
  )
}

const tokensOf = (samples: readonly string[]): readonly string[] => [
  ...new Set(samples.flatMap((sample) => sample.slice(0, 5000).match(/\w+|\s+|[^\w\s]/g) ?? [])),
  ...PIECES,
]

/** @param samples of the format; at least one */
export function textsLike(samples: readonly string[]): fc.Arbitrary<string> {
  const mutated = fc
    .tuple(fc.constantFrom(...samples), fc.array(changes(samples), { minLength: 1, maxLength: 5 }))
    .map(([sample, all]) => all.reduce((text, change) => change(text), sample))
  const pieced = fc
    .array(fc.constantFrom(...tokensOf(samples)), { maxLength: 60 })
    .map((all) => all.join(''))
  return fc.oneof(
    { weight: 6, arbitrary: mutated },
    { weight: 2, arbitrary: pieced },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  )
}
