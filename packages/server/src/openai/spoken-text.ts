/**
 * The text of an answer for a protocol that cannot take text back. Blocks of several steps are parted by
 * an empty line.
 *
 * Shown at once: a block that the run takes back must begin again with what was sent, as the retry of a
 * broken connection often does; otherwise `settle` says so. Held: nothing is sent until `rest`.
 */
export class SpokenText {
  readonly #isHeld: boolean
  #before = ''
  #block = ''
  /** Text that was sent of a withdrawn block, and that the next block must repeat. */
  #owed: string | undefined

  constructor({ isHeld }: { readonly isHeld: boolean }) {
    this.#isHeld = isHeld
  }

  /** @returns what to send now */
  start(): string {
    if (this.#owed !== undefined) return ''
    const hasText = this.#before !== '' || this.#block !== ''
    this.#before += this.#block + (hasText ? GAP : '')
    this.#block = ''
    return hasText && !this.#isHeld ? GAP : ''
  }

  /** @returns what to send now */
  add(delta: string): string {
    this.#block += delta
    if (this.#isHeld) return ''
    const owed = this.#owed
    if (owed === undefined) return delta
    if (this.#block.length <= owed.length || !this.#block.startsWith(owed)) return ''
    this.#owed = undefined
    return this.#block.slice(owed.length)
  }

  drop(): void {
    if (!this.#isHeld) this.#owed ??= this.#block
    this.#block = ''
  }

  /** After a step: whether all that was sent still holds. */
  get settles(): boolean {
    return this.#owed === undefined || this.#owed === this.#block
  }

  /** At the end: what was held back. */
  get rest(): string {
    return this.#isHeld ? (this.#before + this.#block).trim() : ''
  }
}

const GAP = '\n\n'
