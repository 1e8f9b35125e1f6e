/** A unit to time. Runs one at a time: the next starts when its promise settles. */
export interface Racer<Name extends string = string> {
  readonly name: Name
  readonly once: () => Promise<unknown>
}

export interface RaceOptions {
  /** Number of units that one run counts as; default 1. */
  readonly per?: number
  /** Milliseconds of warm-up for each; default 800. */
  readonly warmMs?: number
  /** Milliseconds of one batch; default 100. */
  readonly batchMs?: number
  /** Default 11. */
  readonly rounds?: number
}

/** Microseconds per unit, one number for each round. */
export type Times<Name extends string = string> = Readonly<Record<Name, readonly number[]>>

/**
 * Times several units side by side: each is warmed up, then they alternate in short batches, so that
 * other load on the machine affects all of them equally.
 */
export async function race<Name extends string>(
  racers: readonly Racer<Name>[],
  { per = 1, warmMs = 800, batchMs = 100, rounds = 11 }: RaceOptions = {},
): Promise<Times<Name>> {
  const turns = []
  for (const racer of racers) {
    await batch(racer.once, await countFor(racer.once, warmMs / 2))
    turns.push({
      racer,
      runs: await countFor(racer.once, warmMs / 2, batchMs),
      times: [0].slice(1),
    })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { racer, runs, times } of turns) {
      globalThis.gc?.({ type: 'minor' })
      times.push((await batch(racer.once, runs)) / per)
    }
  }
  return fromNames(turns.map(({ racer, times }) => [racer.name, times]))
}

function fromNames<Name extends string, Value>(
  entries: readonly (readonly [Name, Value])[],
): Record<Name, Value>
function fromNames<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries)
}

/** Estimates the number of runs in `targetMs` from a trial of `tryMs`. */
async function countFor(
  once: () => Promise<unknown>,
  tryMs: number,
  targetMs: number = tryMs,
): Promise<number> {
  const began = performance.now()
  let runs = 0
  while (performance.now() - began < tryMs) {
    const some = Math.max(1, runs >> 3)
    for (let index = 0; index < some; index++) await once()
    runs += some
  }
  return Math.max(1, Math.round((runs * targetMs) / (performance.now() - began)))
}

/** Microseconds per run. */
async function batch(once: () => Promise<unknown>, runs: number): Promise<number> {
  const began = performance.now()
  for (let index = 0; index < runs; index++) await once()
  return ((performance.now() - began) * 1000) / runs
}

/** The middle value; for an even count the mean of the two middle ones; NaN if empty. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2
}

/** The median of the ratios per round, since both sides ran under the same load. */
export const ratio = (times: readonly number[], to: readonly number[]): number =>
  median(times.slice(0, to.length).map((time, round) => time / (to[round] ?? NaN)))
