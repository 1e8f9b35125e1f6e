import type { DLogger } from '@dbos-inc/dbos-sdk'

/** Receives a line for the operator. */
export type FleetLog = (line: string) => void

const ignore = (): void => undefined

/** A logger of DBOS that passes warnings and errors on. The rest is DBOS telling what it does. */
export function quietLogger(log: FleetLog = ignore): DLogger {
  const tell = (entry: unknown): void =>
    log(`queues: ${entry instanceof Error ? entry.message : String(entry)}`)
  return { info: ignore, debug: ignore, warn: tell, error: tell }
}
