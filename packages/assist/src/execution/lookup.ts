import type { Json } from 'echelon/runtime'
import type { Lookup } from '../assist-settings.ts'
import type { Turn } from '../assist-state.ts'

/** Passages and facts of one turn. */
const MOST_ENTRIES = 12
/** Characters of one. */
const LONGEST_ENTRY = 4_000

/** A turn with what was found for it; nothing if the search failed. */
export const withFound = (turn: Turn, lookup: Lookup, value: Json): Turn => ({
  ...turn,
  [lookup]: entriesIn(value),
})

/** A memory may be any store's, so it is checked and bounded. */
function entriesIn(value: Json): readonly string[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((one) => typeof one === 'string')
    .slice(0, MOST_ENTRIES)
    .map((one) => one.slice(0, LONGEST_ENTRY).toWellFormed())
}

/** A text in a document's frame, as the program that found it wrote it. */
const PASSAGE =
  /^<document number="(?<number>\d+)" source="(?<source>[^"]*)"[^>\n]*>\n(?<text>[^]*)\n<\/document>$/

/** Passages that are shown when no model answers. */
const MOST_SHOWN = 3
const LONGEST_SHOWN = 400

/** The results, as an answer without a model: passages as they are, and nothing concluded from them. */
export function quotedPassages(knowledge: readonly string[] | null): string | null {
  const shown = (knowledge ?? []).slice(0, MOST_SHOWN).flatMap((entry) => {
    const { number, source, text } = PASSAGE.exec(entry)?.groups ?? {}
    if (number === undefined || source === undefined || text === undefined) return []
    const line = text.replaceAll(/\s+/gu, ' ').trim()
    const cut =
      line.length <= LONGEST_SHOWN ? line : `${line.slice(0, LONGEST_SHOWN).toWellFormed()}…`
    return [`[${number}] ${source}: “${cut}”`]
  })
  return shown.length === 0 ? null : `${ABOUT_PASSAGES}\n\n${shown.join('\n\n')}`
}

const ABOUT_PASSAGES =
  'No model answers here, so I conclude nothing; these passages of your documents fit best:'
