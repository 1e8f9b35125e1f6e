/** A document as text, in reading order. */
export interface ReadDocument {
  readonly title: string
  readonly sections: readonly DocumentSection[]
}

/** A piece of a document under one heading, or of one page. */
export interface DocumentSection {
  readonly text: string
  /** The headings above it, outermost first. */
  readonly headings: readonly string[]
  /** Counts from 1; `null` for a document without pages. */
  readonly page: number | null
}

export interface ReadingLimits {
  /** Maximum file size in bytes; default 50 MB. */
  readonly maxBytes: number
  /** Maximum number of pages; default 500. */
  readonly maxPages: number
  /** Maximum characters of text in total; default 5,000,000. */
  readonly maxCharacters: number
}

/** Port: reads one kind of document. `documentReaderContract` tests it. */
export interface DocumentReader {
  /** File name extensions, lower case, with the dot. */
  readonly extensions: readonly string[]
  /** @throws EchelonError INVALID_INPUT for a file that is broken or exceeds a limit, with what to do */
  read(
    content: Uint8Array,
    about: { readonly name: string; readonly limits: ReadingLimits; readonly signal?: AbortSignal },
  ): Promise<ReadDocument>
}
