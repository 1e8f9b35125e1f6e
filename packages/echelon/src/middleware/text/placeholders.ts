import type { Mark } from '../../core/redaction/redaction.ts'
import type { Finder } from './text-scanner.ts'

const FORM = String.raw`\[redacted(?::[a-z-]{1,32})?#x?\d{1,7}\]`
const ANYWHERE = new RegExp(FORM, 'g')
const WHOLE = new RegExp(`^${FORM}$`)
const FIRST = new RegExp(`^${FORM}`)
const BEGUN = /^\[redacted(?::[a-z-]{0,32})?(?:#x?\d{0,7})?$/

/**
 * What stands for what: the same value has the same placeholder, such as `[redacted:email#1]`, as long
 * as this lives. Values are kept in memory and nowhere else. Numbers are given in order, so that they
 * are the same again where the same values are met in the same order.
 */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, unknown>()
  readonly #counts = { '': 0, x: 0 }
  #row: '' | 'x' = ''

  get size(): number {
    return this.#values.size
  }

  /** The placeholder of a value; a new one where it has none. */
  readonly mark: Mark = (kind, given) => {
    // Rules look at what others have left: a find may hold the placeholder of a smaller one.
    return this.#nameOf(kind, this.restored(given))
  }

  #nameOf(kind: string | undefined, value: unknown): string {
    const key = typeof value === 'string' ? `"${value}` : JSON.stringify(value)
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const number = ++this.#counts[this.#row]
    const name = `[redacted${kind === undefined ? '' : `:${kind}`}#${this.#row}${number}]`
    this.#names.set(key, name)
    this.#values.set(name, value)
    return name
  }

  /**
   * A value in which what is written as a placeholder has one of its own: nobody is given what
   * another's data stand for by writing so.
   */
  quoted<Value>(value: Value): Value
  quoted(value: unknown): unknown {
    return mapTexts(value, (text) =>
      text.replaceAll(ANYWHERE, (written) => this.#nameOf('text', written)),
    )
  }

  /** Numbers what is met meanwhile in a row of its own, so that the first row stays as it is. */
  aside<Result>(work: () => Result): Result {
    this.#row = 'x'
    try {
      return work()
    } finally {
      this.#row = ''
    }
  }

  /** A value with what its placeholders stand for; a text that is one whole becomes its value. */
  restored(value: unknown): unknown {
    return mapTexts(value, (text) =>
      WHOLE.test(text) && this.#values.has(text)
        ? this.#values.get(text)
        : text.replaceAll(ANYWHERE, (name) => this.#written(name) ?? name),
    )
  }

  /** @param isJson whether the text is JSON, in which values stand escaped */
  finder(isJson: boolean): Finder {
    return {
      at: (rest, _before, isWhole) => {
        if (!rest.startsWith('[')) return 'none'
        const name = FIRST.exec(rest)?.[0]
        if (name !== undefined) {
          const text = this.#written(name)
          if (text === undefined) return 'none'
          return { length: name.length, text: isJson ? JSON.stringify(text).slice(1, -1) : text }
        }
        const isBegun = '[redacted'.startsWith(rest) || BEGUN.test(rest)
        return !isWhole && isBegun ? 'more' : 'none'
      },
    }
  }

  #written(name: string): string | undefined {
    if (!this.#values.has(name)) return undefined
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}

/** JSON with something else for each of its texts, names of fields included. */
function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(map(name)), mapTexts(inner, map)]),
  )
}
