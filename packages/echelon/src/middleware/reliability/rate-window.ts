/** Limits within any window of time. */
export interface RateLimits {
  readonly requests: number
  readonly tokens: number
}

/** Admitted calls: their tokens are estimates until they are known. */
export interface Admitted {
  readonly slot: Slot
  readonly tokens: number
}

interface Slot {
  /** When the last of them was admitted. */
  at: number
  /** From when on later calls get their own entry. */
  readonly until: number
  requests: number
  tokens: number
}

/** Maximum number of entries in a window, however many calls are admitted. */
const PIECES = 60

/**
 * Recently admitted calls as a sliding window: no period of its length ever exceeds the limits, where a
 * token bucket would admit nearly twice as much. Calls close to each other share an entry and expire
 * together, with the last of them.
 */
export class RateWindow {
  readonly #limits: RateLimits
  readonly #ms: number
  #slots: Slot[] = []
  /** Until when a provider asked for no calls. */
  #closedUntil = -Infinity

  constructor(limits: RateLimits, ms: number) {
    this.#limits = limits
    this.#ms = ms
  }

  /**
   * Milliseconds until a call of so many tokens may be made; 0 for now. One larger than the limit counts as
   * the whole limit.
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

  /** Sets the actual usage of an admitted call; undefined if it was not made. */
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
