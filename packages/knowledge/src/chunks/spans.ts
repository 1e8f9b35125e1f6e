/** A part of a text, up to the start of the next. */
export interface Span {
  readonly start: number
  readonly end: number
  /** In UTF-8. */
  readonly bytes: number
}

/** Splits a text into consecutive parts of limited size, at the coarsest boundaries that fit. */
export function spansOf(text: string, most: number): readonly Span[] {
  const spans: Span[] = []
  const add = (start: number, end: number, level: number): void => {
    const bytes = Buffer.byteLength(text.slice(start, end))
    const split = SPLITS[level]
    if (bytes <= most || split === undefined) {
      if (bytes > 0) spans.push({ start, end, bytes })
      return
    }
    let from = start
    for (const to of split(text.slice(start, end), most)) {
      add(from, start + to, level + 1)
      from = start + to
    }
  }
  add(0, text.length, 0)
  return spans
}

/** The end offsets of the parts of a text; the last is the end of the text. */
type Split = (text: string, most: number) => Iterable<number>

const SPLITS: readonly Split[] = [
  blocks,
  endsOf(/\n/g),
  endsOf(/[.!?…。！？]["')\]]*\s+|[。！？]/g),
  endsOf(/\s+/g),
  (text, most) => characters(text, Math.floor(most / 4)),
]

function endsOf(separator: RegExp): Split {
  return function* (text) {
    for (const { 0: found, index } of text.matchAll(separator)) yield index + found.length
    yield text.length
  }
}

/** Splits at blank lines outside of code. */
function* blocks(text: string): Iterable<number> {
  let fence: string | undefined
  let blank = false
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const isBlank = line.trim() === ''
    if (blank && !isBlank) yield index
    blank = isBlank && fence === undefined
    const ticks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined) fence = ticks
    else if (ticks?.startsWith(fence) === true && line.trim() === ticks) fence = undefined
  }
  yield text.length
}

/** At most four bytes each; never splits a character. */
function* characters(text: string, most: number): Iterable<number> {
  let end = 0
  let count = 0
  for (const character of text) {
    end += character.length
    count += 1
    if (count % most === 0) yield end
  }
  yield text.length
}
