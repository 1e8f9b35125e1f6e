/** Shorter ones, such as `ollama`, are words that servers ignore and texts hold. */
const SHORTEST_KEY = 8

const HIDDEN = '[redacted:secret]'

/** Keys in use, which no recording may hold. */
export class HiddenKeys {
  readonly #keys = new Set<string>()

  constructor(keys: readonly string[] = []) {
    this.add(keys)
  }

  /** Skips keys of fewer than 8 characters. */
  add(keys: readonly string[]): void {
    for (const key of keys) if (key.trim().length >= SHORTEST_KEY) this.#keys.add(key.trim())
  }

  hideIn(text: string): string {
    let left = text
    for (const key of this.#keys) left = left.replaceAll(key, HIDDEN)
    return left
  }

  /** Hides keys in JSON, where some characters stand escaped. */
  hideInJson(json: string): string {
    let left = json
    for (const key of this.#keys) left = left.replaceAll(JSON.stringify(key).slice(1, -1), HIDDEN)
    return left
  }
}
