import { condensed } from '../../core/journal/condensed.ts'
import type { Entry, Journal } from '../../core/journal/journal.ts'

/**
 * Reads the entries of a run for a definition that continues it. For a run that older code started,
 * they begin with its newest snapshot, if the journal has one: the newer definition loads that state,
 * and its decisions must match the journal from there on.
 */
export async function readRun(
  journal: Journal,
  runId: string,
  { version }: { readonly version: number },
): Promise<readonly Entry[]> {
  const entries = await journal.read(runId)
  const started = entries.find((entry) => entry.type === 'started' && entry.path === '')
  if (started?.type !== 'started' || started.version >= version) return entries
  const snapshot = await journal.snapshot?.(runId)
  return snapshot === undefined ? entries : condensed(entries, snapshot)
}
