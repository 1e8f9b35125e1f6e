import type { Ran } from './schedule.ts'

/** A violation, with the schedule that shows it. */
interface Found {
  readonly nth: number
  readonly ran: Ran
}

const LIMITS = ['money', 'tokens', 'calls', 'tools', 'seconds'] as const
type Limit = (typeof LIMITS)[number]

/** Which limit a counter belongs to: `calls.small` to `calls`. */
const limitOf = (counter: string): Limit | undefined =>
  LIMITS.find((limit) => counter === limit || counter.startsWith(`${limit}.`))

/** A limit counts as reached when less than a fifth of it is left. */
const NEARLY = 0.8

/** Adds up schedules, and shows how much they tried. */
export class Tally {
  readonly found: Found[] = []
  readonly #counts = new Map<string, number>()
  #schedules = 0
  #mostAtOnce = 0

  add(nth: number, ran: Ran): void {
    this.#schedules++
    if (ran.violations.length > 0) this.found.push({ nth, ran })
    this.#count(`run of the ${ran.shape}`)
    this.#count('attempt', ran.attempts)
    this.#count('repeated', ran.repeated)
    if (ran.mostAtOnce > 1) this.#count('at once')
    if (ran.isTrulyOver) this.#count('truly over')
    this.#mostAtOnce = Math.max(this.#mostAtOnce, ran.mostAtOnce)
    for (const [fault, count] of ran.faults) this.#count(`fault: ${fault}`, count)
    this.#countLimits(ran)
  }

  /** The number of times that something occurred, such as `fault: stream cut`. */
  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  printed(): string {
    const counted = (prefix: string): string =>
      [...this.#counts]
        .filter(([what]) => what.startsWith(prefix))
        .toSorted(([, a], [, b]) => b - a)
        .map(([what, count]) => `${what.slice(prefix.length)} ${count}`)
        .join(', ')
    const limits = LIMITS.map(
      (limit) => `${limit} ${this.of(`limit: ${limit}`)} (${this.of(`reached: ${limit}`)})`,
    )
    return [
      `runs: ${counted('run of the ')}`,
      `requests sent: ${this.of('attempt')}; again after a failure: ${this.of('repeated')}; runs with several at once: ${this.of('at once')} (at most ${this.#mostAtOnce})`,
      `runs with a limit of (used to 80 % or more): ${limits.join(', ')}`,
      `faults: ${counted('fault: ')}`,
      `runs over the limit: ${this.found.length} of ${this.#schedules}`,
      `runs whose models used more than a limit, and reported less: ${this.of('truly over')}`,
    ].join('\n')
  }

  #count(what: string, count = 1): void {
    this.#counts.set(what, this.of(what) + count)
  }

  #countLimits({ limits, spent }: Ran): void {
    const reached = new Map<Limit, boolean>()
    for (const [counter, limit] of Object.entries(limits)) {
      const name = limitOf(counter)
      if (name === undefined) continue
      const isNear = (spent[counter] ?? 0) >= NEARLY * limit
      reached.set(name, isNear || reached.get(name) === true)
    }
    for (const [name, isReached] of reached) {
      this.#count(`limit: ${name}`)
      if (isReached) this.#count(`reached: ${name}`)
    }
  }
}
