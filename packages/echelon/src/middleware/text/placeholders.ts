import type { Mark } from '../../core/redaction/redaction.ts'
import type { Finder } from './text-scanner.ts'

const FORM = String.raw`\[redacted(?::[a-z-]{1,32})?#x?\d{1,7}\]`
const ANYWHERE = new RegExp(FORM, 'g')
const WHOLE = new RegExp(`^${FORM}$`)
const FIRST = new RegExp(`^${FORM}`)
const BEGUN = /^\[redacted(?::[a-z-]{0,32})?(?:#x?\d{0,7})?$/

/**
 * Assigns placeholders such as `[redacted:email#1]` to values, the same one for equal values, for the life
 * of this object. Values are kept only in memory. Numbers are assigned in order, so that the same values
 * in the same order get the same numbers.
 */
export class Placeholders {
  readonly #names = new Map<string, string>()
  readonly #values = new Map<string, unknown>()
  readonly #counts = { '': 0, x: 0 }
  #row: '' | 'x' = ''

  get size(): number {
    return this.#values.size
  }

  /** The placeholder of a value, new or existing. */
  readonly mark: Mark = (kind, given) => {
    // Rules run on each other's output, so a match may contain the placeholder of a smaller one.
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
   * Escapes texts that look like placeholders by giving them placeholders of their own, so that writing one
   * reveals no data.
   */
  quoted<Value>(value: Value): Value
  quoted(value: unknown): unknown {
    return mapTexts(value, (text) =>
      text.replaceAll(ANYWHERE, (written) => this.#nameOf('text', written)),
    )
  }

  /** Numbers the values of a callback in a separate sequence, so that the first one does not change. */
  aside<Result>(work: () => Result): Result {
    this.#row = 'x'
    try {
      return work()
    } finally {
      this.#row = ''
    }
  }

  /** Restores placeholders in a value; a text that is one placeholder becomes its value. */
  restored(value: unknown): unknown {
    return mapTexts(value, (text) =>
      WHOLE.test(text) && this.#values.has(text)
        ? this.#values.get(text)
        : text.replaceAll(ANYWHERE, (name) => this.#written(name) ?? name),
    )
  }

  /** @param isJson whether the text is JSON, in which values are escaped */
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

/** Maps every text in a JSON value, field names included. */
function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(map(name)), mapTexts(inner, map)]),
  )
}
