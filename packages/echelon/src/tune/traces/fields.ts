import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import { wordHint } from '../../core/value/nearest.ts'

type Row = Readonly<Record<string, unknown>>

/** Most characters of a wrong value to show. */
const MOST_SHOWN = 60

/**
 * Reads the fields of an object of unknown form. Absent and null fields are undefined.
 * @throws EchelonError INVALID_INPUT that names the place, the field and what it must be
 */
export class Fields {
  readonly #row: Row
  readonly #place: string

  /**
   * @param place where the object stands, such as `traces.jsonl, line 7`
   * @param known the fields that it may have
   */
  constructor(value: unknown, place: string, known: readonly string[]) {
    if (!isRecord(value)) throw unusable(place, `must be a JSON object, not ${shown(value)}`)
    this.#row = value
    this.#place = place
    const unknown = Object.keys(value).find((name) => !known.includes(name))
    if (unknown !== undefined) {
      throw unusable(place, `has an unknown field ${shown(unknown)}${wordHint(unknown, known)}`)
    }
  }

  has(name: string): boolean {
    return (this.#row[name] ?? null) !== null
  }

  any(name: string): unknown {
    return this.#row[name] ?? undefined
  }

  text(name: string): string | undefined {
    return this.#read(name, 'a text', (value) => (typeof value === 'string' ? value : undefined))
  }

  /** A text that is not empty. */
  required(name: string): string {
    const text = this.text(name)
    if (text === undefined || text.trim() === '') throw this.wrong(name, 'a text', 'is needed:')
    return text
  }

  truth(name: string): boolean | undefined {
    return this.#read(name, 'true or false', (value) =>
      typeof value === 'boolean' ? value : undefined,
    )
  }

  /** A number that is not negative. */
  amount(name: string): number | undefined {
    return this.#read(name, 'a number from 0 on', (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined,
    )
  }

  list(name: string): readonly unknown[] | undefined {
    return this.#read(name, 'a list', (value) => (Array.isArray(value) ? value : undefined))
  }

  texts(name: string): readonly string[] | undefined {
    return this.#read(name, 'a list of texts', (value) => {
      if (!Array.isArray(value)) return undefined
      const texts = value.filter((each) => typeof each === 'string')
      return texts.length === value.length ? texts : undefined
    })
  }

  /** Returns the place of a part of the object. */
  within(part: string): string {
    return `${this.#place}, ${part}`
  }

  wrong(name: string, kind: string, how = 'must be'): EchelonError {
    return unusable(this.#place, `\`${name}\` ${how} ${kind}, not ${shown(this.#row[name])}`)
  }

  unusable(what: string): EchelonError {
    return unusable(this.#place, what)
  }

  #read<Value>(
    name: string,
    kind: string,
    read: (value: unknown) => Value | undefined,
  ): Value | undefined {
    const value = this.any(name)
    if (value === undefined) return undefined
    const found = read(value)
    if (found === undefined) throw this.wrong(name, kind)
    return found
  }
}

function shown(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value)
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`
}

export const unusable = (place: string, what: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `${place}: ${what}`)
