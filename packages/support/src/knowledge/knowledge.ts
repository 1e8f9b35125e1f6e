/** A passage that answers a question, and where it stands. */
export interface Passage {
  readonly text: string
  /** For people: the title of the document, or the rules. */
  readonly source: string
}

/** Finds the passage that answers a question; `null` if none does. Pure: the documents are read before. */
export interface Knowledge {
  /** @param options `isClosely`: only a passage that answers this very question, not one on the same subject */
  (question: string, options?: { readonly isClosely?: boolean }): Passage | null
  /** What the documents say: an answer may state their figures. */
  readonly texts?: readonly string[]
}

export const NO_KNOWLEDGE: Knowledge = () => null
