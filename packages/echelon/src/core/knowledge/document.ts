/** A document as text, in the order in which it is read. */
export interface ReadDocument {
  readonly title: string
  readonly sections: readonly DocumentSection[]
}

/** A piece of a document under one heading, or of one page. */
export interface DocumentSection {
  readonly text: string
  /** Headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Counts from 1; `null` where there are no pages. */
  readonly page: number | null
}

export interface ReadingLimits {
  /** Of the file; default 50 MB. */
  readonly maxBytes: number
  /** Default 500. */
  readonly maxPages: number
  /** Characters of text in all; default 5,000,000. */
  readonly maxCharacters: number
}

/** Port: a kind of document. `documentReaderContract` tests it. */
export interface DocumentReader {
  /** Extensions of file names, lower case, with the dot. */
  readonly extensions: readonly string[]
  /** @throws EchelonError INVALID_INPUT for a file that is broken or beyond a limit, with what to do */
  read(
    content: Uint8Array,
    about: { readonly name: string; readonly limits: ReadingLimits; readonly signal?: AbortSignal },
  ): Promise<ReadDocument>
}
