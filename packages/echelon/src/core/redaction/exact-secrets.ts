/** Keys for servers that accept any key. They are words that texts contain. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  'anything',
  'api-key',
  'dummy-key',
  'llama.cpp',
  'llamacpp',
  'lm-studio',
  'lmstudio',
  'local-key',
  'no-api-key',
  'no-key-required',
  'not-needed',
  'not-required',
  'not-used',
  'ollama',
  'openai',
  'placeholder',
  'sk-no-key-required',
  'unused',
])

/** A shorter value could be part of any text, and real keys are longer. */
const SHORTEST = 6

/** From this length on, a value is also hidden inside a longer word. */
const UNMISTAKABLE = 12

/** Finds values that the program knows to be secret, such as its API keys, in any text. */
export class ExactSecrets {
  readonly #patterns = new Map<string, RegExp>()

  constructor(values: Iterable<string> = []) {
    this.add(values)
  }

  /** Ignores values of fewer than 6 characters and well-known placeholders such as `ollama`. */
  add(values: Iterable<string>): void {
    for (const given of values) {
      const value = given.trim()
      if (value.length < SHORTEST || PLACEHOLDERS.has(value.toLowerCase())) continue
      if (!this.#patterns.has(value)) this.#patterns.set(value, patternOf(value))
    }
  }

  /** @param hidden returns the replacement of a secret */
  hideIn(text: string, hidden: (secret: string) => string): string {
    let left = text
    for (const [value, pattern] of this.#patterns) {
      if (left.includes(value)) left = left.replaceAll(pattern, () => hidden(value))
    }
    return left
  }

  /** Hides them in JSON text, where some characters are escaped. */
  hideInJson(json: string, hidden: (secret: string) => string): string {
    let left = this.hideIn(json, hidden)
    for (const value of this.#patterns.keys()) {
      const escaped = JSON.stringify(value).slice(1, -1)
      if (escaped !== value) left = left.replaceAll(escaped, () => hidden(value))
    }
    return left
  }
}

/** A short value is hidden as a whole word only: `sk-wrong`, but not in `task-wrongly`. */
function patternOf(value: string): RegExp {
  const exact = RegExp.escape(value)
  return value.length < UNMISTAKABLE
    ? new RegExp(`(?<![\\p{L}\\d])${exact}(?![\\p{L}\\d])`, 'gu')
    : new RegExp(exact, 'gu')
}
