import type { MemoryNote } from 'echelon/internal/knowledge'

/** Default number of notes to return. */
const NOTES_FOUND = 100

/** Notes that hold all words of a query, ignoring case, in their order. */
export function notesFound(
  notes: readonly MemoryNote[],
  query: string | undefined,
  limit: number = NOTES_FOUND,
): readonly MemoryNote[] {
  const words = wordsOf(query ?? '')
  const fits = ({ title, text }: MemoryNote): boolean => {
    const held = folded(`${title}\n${text}`)
    return words.every((word) => held.includes(word))
  }
  return (words.length === 0 ? notes : notes.filter(fits)).slice(0, Math.max(0, limit))
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

const wordsOf = (query: string): readonly string[] =>
  folded(query)
    .split(/\s+/)
    .filter((word) => word !== '')
