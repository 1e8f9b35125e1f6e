import { ExactSecrets } from '../../core/redaction/exact-secrets.ts'
import { placeholder } from '../../core/redaction/rule.ts'

const hidden = (key: string): string => placeholder('secret', key)

/** Keys in use, which no recording may contain. */
export class HiddenKeys {
  readonly #keys: ExactSecrets

  constructor(keys: readonly string[] = []) {
    this.#keys = new ExactSecrets(keys)
  }

  add(keys: readonly string[]): void {
    this.#keys.add(keys)
  }

  hideIn(text: string): string {
    return this.#keys.hideIn(text, hidden)
  }

  /** Hides keys in JSON, where some characters are escaped. */
  hideInJson(json: string): string {
    return this.#keys.hideInJson(json, hidden)
  }
}
