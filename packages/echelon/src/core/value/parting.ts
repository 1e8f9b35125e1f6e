import { isJsonArray, isJsonObject, type Json, type JsonObject } from './json.ts'

/** A place at which two values differ. */
export interface Difference {
  /** Such as `seed` or `prompt[1].content[0].text, line 4`. */
  readonly where: string
  /** The value on either side, for a person; `nothing` if absent. */
  readonly recorded: string
  readonly asked: string
}

/** Finds where two requests differ; within a text only the first line that differs. */
export function differences(
  recorded: Json | undefined,
  asked: Json | undefined,
  where = '',
): readonly Difference[] {
  if (isJsonArray(recorded) && isJsonArray(asked)) {
    const longest = recorded.length > asked.length ? recorded : asked
    return longest.flatMap((_, index) =>
      differences(recorded[index], asked[index], `${where}[${index}]`),
    )
  }
  if (isJsonObject(recorded) && isJsonObject(asked)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(asked)])
    return [...names].flatMap((name) =>
      differences(own(recorded, name), own(asked, name), where === '' ? name : `${where}.${name}`),
    )
  }
  if (typeof recorded === 'string' && typeof asked === 'string') {
    return recorded === asked ? [] : [lineThatDiffers(recorded, asked, where)]
  }
  const [before, now] = [inWords(recorded), inWords(asked)]
  return before === now ? [] : [{ where, ...clipped(before, now) }]
}

/** Not an inherited property, if a field has such a name. */
const own = (fields: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

const inWords = (value: Json | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(value)

function lineThatDiffers(recorded: string, asked: string, where: string): Difference {
  const [before, now] = [recorded.split('\n'), asked.split('\n')]
  const line = firstOther(before, now)
  const place = before.length + now.length > 2 ? `${where}, line ${line + 1}` : where
  return { where: place, ...clipped(inWords(before[line]), inWords(now[line])) }
}

function firstOther(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let index = 0
  while (index < a.length && a[index] === b[index]) index++
  return index
}

const BEFORE = 24
const SHOWN = 72

/** Both sides around the first character that differs. */
function clipped(recorded: string, asked: string): Pick<Difference, 'recorded' | 'asked'> {
  const from = Math.max(0, firstOther(recorded, asked) - BEFORE)
  const clip = (text: string): string =>
    `${from === 0 ? '' : '…'}${text.slice(from, from + SHOWN)}${text.length > from + SHOWN ? '…' : ''}`
  return { recorded: clip(recorded), asked: clip(asked) }
}

/**
 * Returns the candidate with the most similar words by the Sørensen-Dice coefficient (Dice 1945), the
 * first on a tie; undefined without candidates.
 */
export function mostAlike<Candidate>(
  wanted: Json,
  candidates: readonly Candidate[],
  contentOf: (candidate: Candidate) => Json,
): Candidate | undefined {
  const words = wordsOf(wanted)
  const scored = candidates.map((candidate) => {
    const others = wordsOf(contentOf(candidate))
    const shared = words.intersection(others).size
    return { candidate, score: (2 * shared) / Math.max(1, words.size + others.size) }
  })
  return scored.toSorted((a, b) => b.score - a.score)[0]?.candidate
}

const wordsOf = (value: Json): Set<string> =>
  new Set(JSON.stringify(value).match(/[\p{L}\p{N}]+/gu))

/** The maximum number of differences shown; more of them mean a different request. */
const LISTED = 4

/** Formats differences as lines for a person: each place and the value on either side. */
export function describeDifferences(found: readonly Difference[]): string {
  const more = found.length > LISTED ? [`  and ${found.length - LISTED} more`] : []
  return [...found.slice(0, LISTED).map(inLines), ...more].join('\n')
}

const inLines = ({ where, recorded, asked }: Difference): string =>
  `  ${where}\n    recorded ${harmless(recorded)}\n    asked    ${harmless(asked)}`

/** Characters that could control a terminal and that JSON does not escape. */
const harmless = (text: string): string =>
  text.replaceAll(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
