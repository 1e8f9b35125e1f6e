import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type {
  ReadDocument,
  ReadingLimits,
  Chunk,
  FoundChunk,
  KnowledgeSource,
  StaticMemoryStore,
} from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import type { Clock } from 'echelon/runtime'
import { embeddedTexts } from './knowledge/embedded-texts.ts'
import { fileContent } from './knowledge/file-content.ts'
import { fileAt, type FoundFile, foundFiles } from './knowledge/found-files.ts'
import { isWithin, placeName } from './knowledge/place-name.ts'
import { Searching, type SearchOptions, vectorAt } from './knowledge/searching.ts'

/** Limits of one `add`. */
export interface KnowledgeLimits {
  /** Default 10,000. */
  readonly maxFiles: number
  /** Total bytes of the files to read; default 1 GB. */
  readonly maxTotalBytes: number
  /** Limits for each document; default `READING_LIMITS`. */
  readonly reading: ReadingLimits
}

/** The parts of a base; `knowledgeBase` of `@echelon/knowledge` fills in the ones left out. */
export interface KnowledgeParts {
  readonly store: StaticMemoryStore
  readonly embedder: Embedder
  /** Reads a document. An error it throws is reported in `failed`; the other documents are still read. */
  readonly read: (
    content: Uint8Array,
    name: string,
    options: { readonly limits: ReadingLimits; readonly signal: AbortSignal },
  ) => Promise<ReadDocument>
  readonly chunk: (document: ReadDocument) => readonly Chunk[]
  /** Extensions of the files to look for in folders, lower case, with the dot. */
  readonly extensions: () => Promise<readonly string[]>
  readonly limits: KnowledgeLimits
  /** Base of the document names: a file below it is named by its relative path. */
  readonly root: string
  readonly clock: Clock
}

export interface AddOptions {
  /** Called once the number of documents is known, and after each document. */
  readonly onProgress?: (progress: AddProgress) => void
  /** Aborts between two documents or within one; documents already added stay. */
  readonly signal?: AbortSignal
}

export interface AddProgress {
  readonly done: number
  readonly total: number
  /** The document just processed; absent in the first call. */
  readonly source?: string
}

/** The outcome for each document. */
export interface Added {
  /** Read and stored: new and changed documents. */
  readonly added: readonly string[]
  /** Already stored with the same content; not read again. */
  readonly unchanged: readonly string[]
  /** Removed because their files are gone. A file of another kind that was once added by name stays. */
  readonly removed: readonly string[]
  /** Documents that could not be read, and why. Their earlier content stays. */
  readonly failed: readonly { readonly source: string; readonly message: string }[]
}

/** Documents read from files, kept in a store and searched. */
export class KnowledgeBase {
  readonly store: StaticMemoryStore
  readonly embedder: Embedder
  readonly #parts: KnowledgeParts
  readonly #searching: Searching

  constructor(parts: KnowledgeParts) {
    this.store = parts.store
    this.embedder = parts.embedder
    this.#parts = parts
    this.#searching = new Searching(parts.store, parts.embedder)
  }

  /**
   * Adds a file, or the documents in a folder and its subfolders. Documents with unchanged content are
   * not read again; documents whose file is gone are removed. Links, hidden files and `node_modules`
   * are skipped.
   * @throws EchelonError INVALID_INPUT when nothing is or was at the path, when a limit is exceeded,
   * and when the store holds vectors of another embedder
   */
  async add(path: string, options: AddOptions = {}): Promise<Added> {
    const { onProgress, signal = new AbortController().signal } = options
    const { root, limits } = this.#parts
    await this.#searching.checkEmbedder()
    const absolute = resolve(root, path)
    const extensions = new Set(await this.#parts.extensions())
    const found = await foundFiles(absolute, { extensions, maxFiles: limits.maxFiles, signal })
    const place = placeName(root, absolute)
    const known = await this.#knownWithin(place)
    const files = [...found, ...(await this.#addedByName(known, found))]
    if (files.length === 0 && known.size === 0) throw nothingAt(place === '' ? path : place)
    checkTotal(files, limits)
    const outcomes = new Outcomes()
    onProgress?.({ done: 0, total: files.length })
    for (const [nth, { path: file }] of files.entries()) {
      const source = placeName(root, file)
      outcomes.record(source, await this.#addFile(file, source, known.get(source), signal))
      known.delete(source)
      onProgress?.({ done: nth + 1, total: files.length, source })
    }
    const removed = [...known.keys()]
    for (const source of removed) await this.store.remove(source)
    return { ...outcomes.lists, removed }
  }

  /** The stored documents, by name. */
  list(): Promise<readonly KnowledgeSource[]> {
    return this.store.sources()
  }

  /**
   * Removes a document, or all documents below a folder, whether or not their files still exist.
   * @returns the names of the removed documents
   */
  async remove(path: string): Promise<readonly string[]> {
    const names = [...(await this.#knownWithin(this.#nameOf(path))).keys()]
    for (const name of names) await this.store.remove(name)
    return names
  }

  /**
   * The chunks nearest to a text, by words and by vector, best first.
   * @throws EchelonError INVALID_INPUT when the store holds vectors of another embedder
   */
  async search(text: string, options: SearchOptions = {}): Promise<readonly FoundChunk[]> {
    const { below, ...others } = options
    const place = below === undefined ? '' : this.#nameOf(below)
    return await this.#searching.search(text, { ...others, ...(place !== '' && { below: place }) })
  }

  #nameOf(path: string): string {
    return placeName(this.#parts.root, resolve(this.#parts.root, path))
  }

  /**
   * Records a file that cannot be read as failed. Errors that affect every file, such as a full disk,
   * are thrown.
   */
  async #addFile(
    file: string,
    source: string,
    known: KnowledgeSource | undefined,
    signal: AbortSignal,
  ): Promise<Outcome> {
    signal.throwIfAborted()
    const read = await this.#read(file, known, signal).catch((error: unknown): Failure => {
      signal.throwIfAborted()
      return { type: 'failed', message: error instanceof Error ? error.message : String(error) }
    })
    if (read === undefined) return { type: 'unchanged' }
    if ('type' in read) return read
    await this.#put(source, read, signal)
    return { type: 'added' }
  }

  /** @returns undefined when the content is unchanged */
  async #read(
    file: string,
    known: KnowledgeSource | undefined,
    signal: AbortSignal,
  ): Promise<ReadFile | undefined> {
    const { read, limits } = this.#parts
    const content = await fileContent(file, limits.reading.maxBytes)
    const digest = createHash('sha256').update(content).digest('hex')
    if (known?.digest === digest) return undefined
    return {
      digest,
      document: await read(content, basename(file), { limits: limits.reading, signal }),
    }
  }

  async #put(source: string, { digest, document }: ReadFile, signal: AbortSignal): Promise<void> {
    const { chunk, clock } = this.#parts
    const chunks = chunk(document)
    const title = document.title === '' ? basename(source) : document.title
    const texts = chunks.map((each) => embeddedTexts(each, title, this.embedder))
    const vectors = await this.embedder.embed(texts.flat(), signal)
    let next = 0
    const embedded = chunks.map((each, nth) => ({
      ...each,
      vectors: (texts[nth] ?? []).map(() => vectorAt(vectors, next++)),
    }))
    const about = { id: source, title, digest, addedAt: clock.now() }
    await this.store.put(about, embedded, this.embedder.id)
  }

  /** Files that were once added by name, of a kind or in a place that a folder search skips. */
  async #addedByName(
    known: ReadonlyMap<string, KnowledgeSource>,
    found: readonly FoundFile[],
  ): Promise<readonly FoundFile[]> {
    const { root } = this.#parts
    const names = new Set(found.map(({ path }) => placeName(root, path)))
    const others = [...known.keys()].filter((name) => !names.has(name))
    const files = await Promise.all(others.map((name) => fileAt(resolve(root, name))))
    return files.flatMap((file) => file ?? [])
  }

  async #knownWithin(name: string): Promise<Map<string, KnowledgeSource>> {
    const sources = await this.store.sources()
    return new Map(sources.filter(({ id }) => isWithin(id, name)).map((each) => [each.id, each]))
  }
}

interface ReadFile {
  readonly digest: string
  readonly document: ReadDocument
}

interface Failure {
  readonly type: 'failed'
  readonly message: string
}

type Outcome = { readonly type: 'added' | 'unchanged' } | Failure

/** The outcomes so far. */
class Outcomes {
  readonly lists = {
    added: new Array<string>(),
    unchanged: new Array<string>(),
    failed: new Array<{ readonly source: string; readonly message: string }>(),
  }

  record(source: string, outcome: Outcome): void {
    if (outcome.type === 'failed') this.lists.failed.push({ source, message: outcome.message })
    else this.lists[outcome.type].push(source)
  }
}

function checkTotal(files: readonly FoundFile[], { maxTotalBytes }: KnowledgeLimits): void {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total <= maxTotalBytes) return
  throw new EchelonError(
    'INVALID_INPUT',
    `the documents have ${total} bytes in total, and one call adds at most ${maxTotalBytes}; add the folders one by one, or raise maxTotalBytes`,
  )
}

const nothingAt = (path: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `there is no document at ${path}; name a file, or a folder of files such as .md, .pdf or .docx`,
  )
