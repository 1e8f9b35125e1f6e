import type { DLogger } from '@dbos-inc/dbos-sdk'

/** Receives a line for the operator. */
export type FleetLog = (line: string) => void

const ignore = (): void => undefined

/** How long a line is not repeated. While its database is away, a worker fails at every poll. */
const QUIET_MS = 30_000
/** Most different lines that are remembered. */
const MOST_LINES = 100

/**
 * A logger of DBOS that passes warnings and errors on. The rest is DBOS telling what it does.
 * @param now milliseconds
 */
export function quietLogger(
  log: FleetLog = ignore,
  now: () => number = () => performance.now(),
): DLogger {
  const tellOnce = withoutRepeats(log, now)
  const tell = (entry: unknown): void =>
    tellOnce(`queues: ${entry instanceof Error ? entry.message : String(entry)}`)
  return { info: ignore, debug: ignore, warn: tell, error: tell }
}

/** Tells a line once in 30 seconds, and how often it was left out since. */
function withoutRepeats(log: FleetLog, now: () => number): FleetLog {
  const told = new Map<string, { readonly at: number; repeats: number }>()
  return (line) => {
    const last = told.get(line)
    if (last !== undefined && now() - last.at < QUIET_MS) {
      last.repeats += 1
      return
    }
    if (told.size >= MOST_LINES) told.clear()
    told.set(line, { at: now(), repeats: 0 })
    const repeats = last?.repeats ?? 0
    log(repeats === 0 ? line : `${line} (${repeats} more times since it was last reported)`)
  }
}
