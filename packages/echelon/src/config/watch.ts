import { type FSWatcher, watch } from 'node:fs'
import type { BaseConfig } from './config.ts'
import type { KnownSettings } from './known.ts'
import { configFrom, type LoadOptions } from './load.ts'
import { absent, folderOf, readSources, type Sources } from './sources.ts'
import type { TextFile } from './text-file.ts'

export interface WatchOptions<Values extends object = object> extends LoadOptions {
  /** The files have changed and are valid: this is in force from now on. Must not throw. */
  readonly onChange?: (config: Values & BaseConfig) => void
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
export async function followConfig<Values extends object, Made>(
  known: KnownSettings<Values>,
  options: WatchOptions<Values>,
  make: (config: Values & BaseConfig) => Made | Promise<Made>,
): Promise<Followed<Made>> {
  const files = new Files(options, process.cwd())
  const config = await configFrom(known, await files.read(), options)
  return new Following({ known, options, files, make }, await make(config))
}

/** The files of a configuration, which are read again and again. */
class Files {
  readonly #options: LoadOptions
  /** The working folder in the beginning: the process may go elsewhere. */
  readonly #from: string
  /** What was read last, as text. */
  #last = ''
  /** Files that were there: from then on their absence is a mistake and not the default. */
  readonly #seen = new Set<string>()
  /** Files that held something: an empty one is about to be written. */
  readonly #filled = new Set<string>()

  constructor(options: LoadOptions, from: string) {
    this.#options = options
    this.#from = from
  }

  /** The folder in which all of them lie. */
  get folder(): string {
    return folderOf(this.#options, this.#from)
  }

  async read(): Promise<Sources> {
    const sources = await readSources(this.#options, this.#from)
    const lost = [...sources.files, sources.dotenv].flatMap((file) => this.#loss(file))
    this.#last = JSON.stringify(sources)
    return { ...sources, problems: [...new Set([...sources.problems, ...lost])] }
  }

  /** What a file had that is gone: a sentence, or none. */
  #loss(file: TextFile): readonly string[] {
    const { path, text, problem } = file
    if (problem !== null) return []
    if (text === null) return this.#seen.has(path) ? [absent(path)] : []
    this.#seen.add(path)
    if (text.trim() !== '') this.#filled.add(path)
    else if (this.#filled.has(path)) {
      return [`${path} is empty; write the settings that it held, or a comment for none`]
    }
    return []
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

interface Parts<Values extends object, Made> {
  readonly known: KnownSettings<Values>
  readonly options: WatchOptions<Values>
  readonly files: Files
  readonly make: (config: Values & BaseConfig) => Made | Promise<Made>
}

class Following<Values extends object, Made> implements Followed<Made> {
  readonly #parts: Parts<Values, Made>
  readonly #watcher: FSWatcher
  #current: Made
  #timer: NodeJS.Timeout | undefined
  #delays = 0
  /** Readings come one after the other. */
  #reading: Promise<void>
  #isClosed = false

  constructor(parts: Parts<Values, Made>, first: Made) {
    const { options, files } = parts
    this.#parts = parts
    this.#current = first
    this.#watcher = watch(files.folder, () => this.#changed())
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
    const { known, options, files, make } = this.#parts
    try {
      const sources = await files.readNew()
      if (sources === null) return
      const config = await configFrom(known, sources, options)
      const made = await make(config)
      if (this.#isClosed) return
      this.#current = made
      options.onChange?.(config)
    } catch (error) {
      if (!this.#isClosed) options.onInvalid?.(error)
    }
  }
}
