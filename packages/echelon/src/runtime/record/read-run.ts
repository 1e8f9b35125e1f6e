import { condensed } from '../../core/journal/condensed.ts'
import type { Entry, Journal } from '../../core/journal/journal.ts'

/**
 * The entries of a run, for a definition that is to go on with it. Of a run that older code began they
 * begin with its newest snapshot, where the journal keeps one: the newer definition loads that state,
 * and must decide as the journal says from there on.
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
