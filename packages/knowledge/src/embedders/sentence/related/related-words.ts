import type { RelatedWord, RelatedWords } from 'echelon/internal/knowledge'
import { NEARNESS, OTHERS, RELATED_EACH, WORDS } from './table.ts'

/** Words of about the same meaning as each of the given ones that the table has. */
export function relatedWords(words: readonly string[]): RelatedWords {
  table ??= readTable()
  const { all, places, others, nearness } = table
  const found = new Map<string, readonly RelatedWord[]>()
  for (const word of words) {
    const place = formsOf(word)
      .map((form) => places.get(form))
      .find((at) => at !== undefined)
    if (place === undefined) continue
    const related: RelatedWord[] = []
    for (let at = place * RELATED_EACH; at < (place + 1) * RELATED_EACH; at++) {
      const other = all[others[at] ?? 0]
      const near = (nearness[at] ?? 0) / 255
      if (other !== undefined && near > 0) related.push({ word: other, near })
    }
    found.set(word, related)
  }
  return found
}

let table: ReturnType<typeof readTable> | undefined

function readTable() {
  const all = WORDS.split(' ')
  return {
    all,
    places: new Map(all.map((word, place) => [word, place])),
    others: new Uint16Array(new Uint8Array(Buffer.from(OTHERS, 'base64')).buffer),
    nearness: Buffer.from(NEARNESS, 'base64'),
  }
}

/** A rare form of a frequent word is looked up as that word. */
const formsOf = (word: string): readonly string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/(?:es|ed|ing)$/, ''),
  word.replace(/(?:ed|ing)$/, 'e'),
  word.replace(/ies$/, 'y'),
]
