import type { Fate } from './field-names.ts'
import type { Mark } from './rule.ts'

/** The rules by which a walk hides values. */
export interface WalkRules {
  readonly fateOf: (name: string) => Fate
  readonly text: (text: string) => string
  /** Whether a number is hidden because of its format. */
  readonly hides: (number: number | bigint) => boolean
  readonly mark: Mark
}

/** Deeper than any JSON that the runtime accepts (`isJson`). */
const DEEPEST = 100

/**
 * Copies a value and hides everything that the rules hide. No value passes unredacted: unreadable and
 * circular values and values that are not data become a note in brackets.
 */
export function walk(value: unknown, rules: WalkRules): unknown {
  return new Walk(rules).visit(value, 0)
}

class Walk {
  readonly #rules: WalkRules
  /** A repeated object maps to the same copy; a circular reference ends there. */
  readonly #seen = new Map<object, unknown>()

  constructor(rules: WalkRules) {
    this.#rules = rules
  }

  visit(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.#rules.text(value)
      case 'number':
      case 'bigint':
        return this.#rules.hides(value) ? this.#rules.mark(undefined, value) : value
      case 'object':
        return value === null ? null : this.#once(value, depth)
      case 'function':
        return '[function]'
      case 'boolean':
      case 'symbol':
      case 'undefined':
        return value
    }
  }

  #once(value: object, depth: number): unknown {
    const known = this.#seen.get(value)
    if (known !== undefined) return known
    if (depth === DEEPEST) return '[too deep]'
    this.#seen.set(value, '[circular]')
    const visited = this.#tryOpen(value, depth + 1)
    this.#seen.set(value, visited)
    return visited
  }

  /** Getters and proxies may throw. */
  #tryOpen(value: object, depth: number): unknown {
    try {
      return this.#open(value, depth)
    } catch {
      return '[unreadable]'
    }
  }

  #open(value: object, depth: number): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.visit(item, depth))
    if (value instanceof Map) return this.#map(value, depth)
    if (value instanceof Set) return new Set(Array.from(value, (item) => this.visit(item, depth)))
    if (value instanceof Error) return this.#fields(partsOf(value), depth)
    // Its entries are its characters, one by one.
    if (isBoxedText(value)) return this.visit(Object.values(value).join(''), depth)
    if (isBinary(value)) return `[${value.byteLength} bytes]`
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const written: unknown = value.toJSON()
      return this.visit(written, depth)
    }
    return this.#fields(Object.entries(value), depth)
  }

  #map(value: ReadonlyMap<unknown, unknown>, depth: number): Map<unknown, unknown> {
    const copy = new Map<unknown, unknown>()
    for (const [key, inner] of value) {
      if (typeof key === 'string') copy.set(this.#nameIn(copy, key), this.#field(key, inner, depth))
      else copy.set(this.visit(key, depth), this.visit(inner, depth))
    }
    return copy
  }

  #fields(entries: readonly (readonly [string, unknown])[], depth: number): object {
    const copy = new Map<unknown, unknown>()
    for (const [name, inner] of entries) {
      copy.set(this.#nameIn(copy, name), this.#field(name, inner, depth))
    }
    // Not by assignment, which would set the prototype for a field named __proto__.
    return Object.fromEntries(copy)
  }

  #field(name: string, value: unknown, depth: number): unknown {
    switch (this.#rules.fateOf(name)) {
      case 'keep':
        return value
      case 'hide':
        return this.#rules.mark(undefined, value)
      case 'hide-text':
        return isText(value) ? this.#rules.mark(undefined, value) : this.visit(value, depth)
      case 'look':
        return this.visit(value, depth)
    }
  }

  /** A field name may be personal data too; two that are redacted alike stay separate. */
  #nameIn(taken: ReadonlyMap<unknown, unknown>, name: string): string {
    const hidden = this.#rules.text(name)
    if (hidden === name) return name
    let number = 1
    let shown = hidden
    while (taken.has(shown)) shown = `${hidden} ${++number}`
    return shown
  }
}

const isText = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)

const isBoxedText = (value: object): boolean =>
  Object.prototype.toString.call(value) === '[object String]'

const isBinary = (value: object): value is ArrayBufferLike | ArrayBufferView =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer

/** The parts of an error that `Object.entries` does not return. */
const partsOf = (error: Error): readonly (readonly [string, unknown])[] => [
  ['name', error.name],
  ...Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)] as const),
]
