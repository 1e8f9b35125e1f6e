/** What may be admitted within any window of time. */
export interface RateLimits {
  readonly requests: number
  readonly tokens: number
}

/** What was admitted: its tokens are an estimate until they are known. */
export interface Admitted {
  readonly slot: Slot
  readonly tokens: number
}

interface Slot {
  /** When the last of it was admitted. */
  at: number
  /** From when on others are kept apart from it. */
  readonly until: number
  requests: number
  tokens: number
}

/** A window is kept in so many pieces, however many calls are admitted. */
const PIECES = 60

/**
 * What was admitted lately: a sliding window, so that no stretch of its length ever holds more than
 * the limits, where a bucket that refills would let through nearly twice as much. Calls that come
 * close to each other are kept together and leave together, with the last of them.
 */
export class RateWindow {
  readonly #limits: RateLimits
  readonly #ms: number
  #slots: Slot[] = []
  /** A provider asked for silence until then. */
  #closedUntil = -Infinity

  constructor(limits: RateLimits, ms: number) {
    this.#limits = limits
    this.#ms = ms
  }

  /**
   * Milliseconds until a call of so many tokens may be made; 0 for now. One that is larger than the
   * limit counts as the whole of it.
   */
  waitFor(tokens: number, now: number): number {
    this.#forget(now)
    const { requests: mostRequests, tokens: mostTokens } = this.#limits
    const most = { requests: mostRequests - 1, tokens: mostTokens - Math.min(tokens, mostTokens) }
    const sum = { requests: 0, tokens: 0 }
    for (const slot of this.#slots) {
      sum.requests += slot.requests
      sum.tokens += slot.tokens
    }
    let free = this.#closedUntil
    for (const slot of this.#slots) {
      if (sum.requests <= most.requests && sum.tokens <= most.tokens) break
      sum.requests -= slot.requests
      sum.tokens -= slot.tokens
      free = Math.max(free, slot.at + this.#ms)
    }
    return Math.max(0, free - now)
  }

  admit(tokens: number, now: number): Admitted {
    const last = this.#slots.at(-1)
    const slot = last !== undefined && now < last.until ? last : this.#open(now)
    slot.at = Math.max(slot.at, now)
    slot.requests++
    slot.tokens += tokens
    return { slot, tokens }
  }

  /** What an admitted call really took; nothing for one that was not made after all. */
  settle({ slot, tokens }: Admitted, taken: number | undefined): void {
    slot.tokens += (taken ?? 0) - tokens
    if (taken === undefined) slot.requests--
  }

  /** Admits nothing before that time. */
  closeUntil(at: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, at)
  }

  isIdle(now: number): boolean {
    this.#forget(now)
    return this.#slots.length === 0 && this.#closedUntil <= now
  }

  #open(now: number): Slot {
    const slot = { at: now, until: now + this.#ms / PIECES, requests: 0, tokens: 0 }
    this.#slots.push(slot)
    return slot
  }

  #forget(now: number): void {
    const first = this.#slots.findIndex(({ at }) => at + this.#ms > now)
    if (first !== 0) this.#slots = first === -1 ? [] : this.#slots.slice(first)
  }
}
