import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { ReadDocument, ReadingLimits } from 'echelon/internal/knowledge'
import type { Embedder } from 'echelon/internal/model'
import { EchelonError } from 'echelon/internal/value'
import type {
  Chunk,
  FoundChunk,
  KnowledgeSource,
  StaticMemoryStore,
} from 'echelon/internal/knowledge'
import type { Clock } from 'echelon/runtime'
import { fileContent } from './knowledge/file-content.ts'
import { fileAt, type FoundFile, foundFiles } from './knowledge/found-files.ts'
import { isWithin, placeName } from './knowledge/place-name.ts'
import { Searching, type SearchOptions, vectorAt } from './knowledge/searching.ts'

/** How much is taken in by one `add`. */
export interface KnowledgeLimits {
  /** Default 10,000. */
  readonly maxFiles: number
  /** Bytes of all files that are to be read; default 1 GB. */
  readonly maxTotalBytes: number
  /** Of each document: `READING_LIMITS` unless given. */
  readonly reading: ReadingLimits
}

/** What a base is made of; `knowledgeBase` of `@echelon/knowledge` fills in what is left out. */
export interface KnowledgeParts {
  readonly store: StaticMemoryStore
  readonly embedder: Embedder
  /** Reads a document; what it throws is told, and the others are read all the same. */
  readonly read: (
    content: Uint8Array,
    name: string,
    options: { readonly limits: ReadingLimits; readonly signal: AbortSignal },
  ) => Promise<ReadDocument>
  readonly chunk: (document: ReadDocument) => readonly Chunk[]
  /** Of the files that are looked for in folders, lower case, with the dot. */
  readonly extensions: () => Promise<readonly string[]>
  readonly limits: KnowledgeLimits
  /** What paths are told from: a file below it has a short name. */
  readonly root: string
  readonly clock: Clock
}

export interface AddOptions {
  /** Called when it is known what there is to do, and after each document. */
  readonly onProgress?: (progress: AddProgress) => void
  /** Gives it up between two documents, or within one; what was put in stays. */
  readonly signal?: AbortSignal
}

export interface AddProgress {
  readonly done: number
  readonly total: number
  /** The document that was dealt with; nothing at the beginning. */
  readonly source?: string
}

/** What came of each document. */
export interface Added {
  /** Read and put in, new ones and changed ones. */
  readonly added: readonly string[]
  /** There already with the same content: not read again. */
  readonly unchanged: readonly string[]
  /** Their files are gone, and so are they. A file of another kind that was named once stays. */
  readonly removed: readonly string[]
  /** What could not be read, and why. What was there of it before stays. */
  readonly failed: readonly { readonly source: string; readonly message: string }[]
}

/** Documents of files, kept in a store, and found again. */
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
   * Takes in a file, or the documents of a folder and of all below it. What is there with the same
   * content is not read again; what was there and whose file is gone is removed. Links, hidden files
   * and `node_modules` are passed over.
   * @throws EchelonError INVALID_INPUT when nothing is there and never was, for more than the limits,
   * and where the store holds vectors of another embedder
   */
  async add(path: string, options: AddOptions = {}): Promise<Added> {
    const { onProgress, signal = new AbortController().signal } = options
    const { root, limits } = this.#parts
    await this.#searching.checkEmbedder()
    const whole = resolve(root, path)
    const extensions = new Set(await this.#parts.extensions())
    const found = await foundFiles(whole, { extensions, maxFiles: limits.maxFiles, signal })
    const place = placeName(root, whole)
    const known = await this.#knownWithin(place)
    const files = [...found, ...(await this.#alsoThere(known, found))]
    if (files.length === 0 && known.size === 0) throw nothingAt(place === '' ? path : place)
    checkTotal(files, limits)
    const coming = new Coming()
    onProgress?.({ done: 0, total: files.length })
    for (const [nth, { path: file }] of files.entries()) {
      const source = placeName(root, file)
      coming.tell(source, await this.#take(file, source, known.get(source), signal))
      known.delete(source)
      onProgress?.({ done: nth + 1, total: files.length, source })
    }
    const removed = [...known.keys()]
    for (const source of removed) await this.store.remove(source)
    return { ...coming.told, removed }
  }

  /** What is in it, by their names. */
  list(): Promise<readonly KnowledgeSource[]> {
    return this.store.sources()
  }

  /**
   * Takes a document out, or all that are below a folder, whether their files are there or not.
   * @returns the names of those that were there
   */
  async remove(path: string): Promise<readonly string[]> {
    const names = [...(await this.#knownWithin(this.#nameOf(path))).keys()]
    for (const name of names) await this.store.remove(name)
    return names
  }

  /**
   * The pieces that come nearest to a text, by its words and by its vector, the best first.
   * @throws EchelonError INVALID_INPUT where the store holds vectors of another embedder
   */
  async search(text: string, options: SearchOptions = {}): Promise<readonly FoundChunk[]> {
    const { below, ...others } = options
    const place = below === undefined ? '' : this.#nameOf(below)
    return await this.#searching.search(text, { ...others, ...(place !== '' && { below: place }) })
  }

  #nameOf(path: string): string {
    return placeName(this.#parts.root, resolve(this.#parts.root, path))
  }

  /** A file that cannot be read is told; what no file can help, such as a full disk, ends all. */
  async #take(
    file: string,
    source: string,
    known: KnowledgeSource | undefined,
    signal: AbortSignal,
  ): Promise<Taken> {
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

  /** @returns nothing for what is known with this content */
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
    const vectors = await this.embedder.embed(
      chunks.map(({ text, headings }) => [title, ...headings, text].join('\n')),
      signal,
    )
    const embedded = chunks.map((each, nth) => ({ ...each, vector: vectorAt(vectors, nth) }))
    const about = { id: source, title, digest, addedAt: clock.now() }
    await this.store.put(about, embedded, this.embedder.id)
  }

  /** Files that were named once, of a kind or in a place where none are looked for. */
  async #alsoThere(
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

type Taken = { readonly type: 'added' | 'unchanged' } | Failure

/** What came of the documents so far. */
class Coming {
  readonly told = {
    added: new Array<string>(),
    unchanged: new Array<string>(),
    failed: new Array<{ readonly source: string; readonly message: string }>(),
  }

  tell(source: string, taken: Taken): void {
    if (taken.type === 'failed') this.told.failed.push({ source, message: taken.message })
    else this.told[taken.type].push(source)
  }
}

function checkTotal(files: readonly FoundFile[], { maxTotalBytes }: KnowledgeLimits): void {
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total <= maxTotalBytes) return
  throw new EchelonError(
    'INVALID_INPUT',
    `the documents have ${total} bytes together, and at most ${maxTotalBytes} are taken at once; add its folders one by one, or raise maxTotalBytes`,
  )
}

const nothingAt = (path: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `there is no document at ${path}; name a file, or a folder of files such as .md, .pdf or .docx`,
  )
