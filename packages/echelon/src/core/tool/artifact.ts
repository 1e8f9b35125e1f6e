/**
 * A file that a tool made, as facts: judging a file stays pure, because whoever wrote it also
 * measured it.
 */
export interface Artifact {
  /** The file's name inside the artifacts folder. */
  readonly name: string
  /** Absolute path of the file. */
  readonly path: string
  /** By content, never by name; `application/octet-stream` when unknown. */
  readonly mediaType: string
  readonly bytes: number
  /** Of the content, hexadecimal. */
  readonly sha256: string
  /** Only for an image that decodes. */
  readonly image?: ImageFacts
}

export interface ImageFacts {
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Share of pixels, 0 to 1, that differ from the most frequent colour. A blank image has 0. */
  readonly ink: number
}

/**
 * Port: where tools put files.
 * Contract: writes inside one folder only; checks extension, size and path before the write;
 * refuses by throwing a `ToolError` and leaves nothing behind. `artifactStoreContract` tests it.
 */
export interface ArtifactStore {
  /** `name` is sanitised; the returned artifact says under which name it was kept. */
  write(name: string, content: Uint8Array): Promise<Artifact>
}
