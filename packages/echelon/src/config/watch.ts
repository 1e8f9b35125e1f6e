import { type FSWatcher, watch } from 'node:fs'
import type { BaseConfig } from './config.ts'
import type { KnownSettings } from './known.ts'
import { configFrom, type LoadOptions } from './load.ts'
import { absent, folderOf, readSources, type Sources } from './sources.ts'
import type { TextFile } from './text-file.ts'

export interface WatchOptions<Values extends object = object> extends LoadOptions {
  /** The files changed and are valid; this configuration is now in force. Must not throw. */
  readonly onChange?: (config: Values & BaseConfig) => void
  /** The files are invalid; the last valid configuration stays in force. Must not throw. */
  readonly onInvalid?: (error: unknown) => void
  /** Milliseconds without a change before the files are read. Default 50. */
  readonly settleMs?: number
}

/** The value built from the last valid configuration, while its files are watched. */
export interface Followed<Built> {
  readonly current: Built
  /** Stops watching. A read in progress is ignored. */
  close(): void
}

/**
 * Watches a configuration's files. Watches their folder, since editors replace a file by renaming
 * another. Keeps the process alive until closed.
 * @param make may throw to reject a configuration, which then counts as invalid
 * @throws EchelonError INVALID_CONFIG when the first configuration is invalid
 */
export async function followConfig<Values extends object, Built>(
  known: KnownSettings<Values>,
  options: WatchOptions<Values>,
  make: (config: Values & BaseConfig) => Built | Promise<Built>,
): Promise<Followed<Built>> {
  const files = new Files(options, process.cwd())
  const config = await configFrom(known, await files.read(), options)
  return new Following({ known, options, files, make }, await make(config))
}

/** The files of a configuration, read repeatedly. */
class Files {
  readonly #options: LoadOptions
  /** The initial working folder; the process may change its own. */
  readonly #from: string
  /** The last read sources, as text. */
  #last = ''
  /** Files that existed. If one disappears, that is an error and not a return to the defaults. */
  readonly #seen = new Set<string>()
  /** Files that had content. If one is empty, an editor is about to write it. */
  readonly #filled = new Set<string>()

  constructor(options: LoadOptions, from: string) {
    this.#options = options
    this.#from = from
  }

  /** The folder that contains all of them. */
  get folder(): string {
    return folderOf(this.#options, this.#from)
  }

  async read(): Promise<Sources> {
    const sources = await readSources(this.#options, this.#from)
    const lost = [...sources.files, sources.dotenv].flatMap((file) => this.#loss(file))
    this.#last = JSON.stringify(sources)
    return { ...sources, problems: [...new Set([...sources.problems, ...lost])] }
  }

  /** The error for a file that lost its content or was removed, if any. */
  #loss(file: TextFile): readonly string[] {
    const { path, text, problem } = file
    if (problem !== null) return []
    if (text === null) return this.#seen.has(path) ? [absent(path)] : []
    this.#seen.add(path)
    if (text.trim() !== '') this.#filled.add(path)
    else if (this.#filled.has(path)) {
      return [`${path} is empty; restore its settings, or write a comment to have none`]
    }
    return []
  }

  /** `null` if the files are unchanged. */
  async readNew(): Promise<Sources | null> {
    const before = this.#last
    const sources = await this.read()
    return this.#last === before ? null : sources
  }
}

const SETTLE_MS = 50
/** Maximum number of times that a read is postponed while changes keep coming. */
const MOST_DELAYS = 10

interface Parts<Values extends object, Built> {
  readonly known: KnownSettings<Values>
  readonly options: WatchOptions<Values>
  readonly files: Files
  readonly make: (config: Values & BaseConfig) => Built | Promise<Built>
}

class Following<Values extends object, Built> implements Followed<Built> {
  readonly #parts: Parts<Values, Built>
  readonly #watcher: FSWatcher
  #current: Built
  #timer: NodeJS.Timeout | undefined
  #delays = 0
  /** Serializes the reads. */
  #reading: Promise<void>
  #isClosed = false

  constructor(parts: Parts<Values, Built>, first: Built) {
    const { options, files } = parts
    this.#parts = parts
    this.#current = first
    this.#watcher = watch(files.folder, () => this.#changed())
    this.#watcher.on('error', (error) => options.onInvalid?.(error))
    // Picks up changes between the first read and the start of the watch.
    this.#reading = this.#again()
  }

  get current(): Built {
    return this.#current
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#watcher.close()
  }

  /** A change in the folder. Waits until the changes settle. */
  #changed(): void {
    if (this.#timer !== undefined) {
      if (this.#delays++ < MOST_DELAYS) this.#timer.refresh()
      return
    }
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#delays = 0
      this.#reading = this.#reading.then(() => this.#again())
    }, this.#parts.options.settleMs ?? SETTLE_MS)
  }

  async #again(): Promise<void> {
    const { known, options, files, make } = this.#parts
    try {
      const sources = await files.readNew()
      if (sources === null) return
      const config = await configFrom(known, sources, options)
      const built = await make(config)
      if (this.#isClosed) return
      this.#current = built
      options.onChange?.(config)
    } catch (error) {
      if (!this.#isClosed) options.onInvalid?.(error)
    }
  }
}
