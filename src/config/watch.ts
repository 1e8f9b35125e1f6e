import { type FSWatcher, watch } from 'node:fs'
import type { Config } from './config.ts'
import { configFrom, type LoadOptions } from './load.ts'
import { folderOf, readSources, type Sources } from './sources.ts'

export interface WatchOptions extends LoadOptions {
  /** The files have changed and are valid: this is in force from now on. Must not throw. */
  readonly onChange?: (config: Config) => void
  /** The files cannot be used as they are; the last valid one stays in force. Must not throw. */
  readonly onInvalid?: (error: unknown) => void
  /** Milliseconds without a change before the files are read; default 50. */
  readonly settleMs?: number
}

/** What is made of the last valid configuration, while its files are followed. */
export interface Followed<Made> {
  readonly current: Made
  /** Stops following. A reading under way ends without a word. */
  close(): void
}

/**
 * Follows a configuration's files: the folder is watched, since editors replace a file by renaming
 * another. Keeps the process alive until it is closed.
 * @param make may refuse a configuration by throwing; it then counts as invalid
 * @throws EchelonError INVALID_CONFIG where the first configuration is not valid
 */
export async function followConfig<Made>(
  options: WatchOptions,
  make: (config: Config) => Made | Promise<Made>,
): Promise<Followed<Made>> {
  const files = new Files(options)
  const config = await configFrom(await files.read(), options)
  return new Following({ options, files, make }, await make(config))
}

/** The files of a configuration, which are read again and again. */
class Files {
  readonly #options: WatchOptions
  /** What was read last, as text. */
  #last = ''
  /** The file, once it was there: from then on its absence is a mistake and not the default. */
  #file: string | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  async read(): Promise<Sources> {
    const file = this.#file ?? this.#options.file
    const sources = await readSources({ ...this.#options, ...(file === undefined ? {} : { file }) })
    const [main] = sources.files
    if (main !== undefined && main.text !== null) this.#file = main.path
    this.#last = JSON.stringify(sources)
    return sources
  }

  /** `null` if the files are as they were. */
  async readNew(): Promise<Sources | null> {
    const before = this.#last
    const sources = await this.read()
    return this.#last === before ? null : sources
  }
}

const SETTLE_MS = 50
/** How often a reading is put off while changes keep coming. */
const MOST_DELAYS = 10

interface Parts<Made> {
  readonly options: WatchOptions
  readonly files: Files
  readonly make: (config: Config) => Made | Promise<Made>
}

class Following<Made> implements Followed<Made> {
  readonly #parts: Parts<Made>
  readonly #watcher: FSWatcher
  #current: Made
  #timer: NodeJS.Timeout | undefined
  #delays = 0
  /** Readings come one after the other. */
  #reading: Promise<void>
  #isClosed = false

  constructor(parts: Parts<Made>, first: Made) {
    const { options } = parts
    this.#parts = parts
    this.#current = first
    this.#watcher = watch(folderOf(options), () => this.#changed())
    this.#watcher.on('error', (error) => options.onInvalid?.(error))
    // What changed between the first reading and the watch.
    this.#reading = this.#again()
  }

  get current(): Made {
    return this.#current
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#watcher.close()
  }

  /** Something happened in the folder: wait until it is over. */
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
    const { options, files, make } = this.#parts
    try {
      const sources = await files.readNew()
      if (sources === null) return
      const config = await configFrom(sources, options)
      const made = await make(config)
      if (this.#isClosed) return
      this.#current = made
      options.onChange?.(config)
    } catch (error) {
      if (!this.#isClosed) options.onInvalid?.(error)
    }
  }
}
