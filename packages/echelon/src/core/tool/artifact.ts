/**
 * Facts about a file that a tool wrote. The store measures the file when it writes it, so that
 * checks of a file stay pure functions.
 */
export interface Artifact {
  /** The file's name inside the artifacts folder. */
  readonly name: string
  /** Absolute path of the file. */
  readonly path: string
  /** Detected from the content, not the name; `application/octet-stream` when unknown. */
  readonly mediaType: string
  readonly bytes: number
  /** Hash of the content, hexadecimal. */
  readonly sha256: string
  /** Only for an image that decodes. */
  readonly image?: ImageFacts
}

export interface ImageFacts {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Share of pixels, 0 to 1, that differ from the most frequent color. A blank image has 0. */
  readonly ink: number
}

/**
 * Port: stores the files that tools write.
 * Contract: writes inside one folder only; checks extension, size and path before the write; on a
 * violation it throws a `ToolError` and leaves no file. `artifactStoreContract` tests it.
 */
export interface ArtifactStore {
  /** `name` is sanitized; the returned artifact has the name that was used. */
  write(name: string, content: Uint8Array): Promise<Artifact>
}
