import type { Dropped, Entry } from './journal.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Replaces the entries that a snapshot covers by the snapshot. A request to cancel the run stays,
 * wherever it was recorded.
 * @returns the entries unchanged if they do not contain the snapshot's step
 */
export function condensed(entries: readonly Entry[], snapshot: Snapshot): readonly Entry[] {
  const started = entries.findIndex((entry) => entry.type === 'started' && entry.path === '')
  const last = snapshot.seq === 0 ? started : entries.findIndex(closes(snapshot.seq - 1))
  const beginning = entries[started]
  if (beginning === undefined || last < 0) return entries
  const replaced = entries.slice(started + 1, last + 1)
  const wishes = replaced.filter(({ type }) => type === 'cancel-asked')
  const dropped: Dropped = { type: 'dropped', count: entriesIn(replaced) - wishes.length, snapshot }
  return [beginning, dropped, ...wishes, ...entries.slice(last + 1)]
}

/** The number of entries ever recorded for a run, deleted ones included. */
export const entriesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.type === 'dropped' ? entry.count : 1), 0)

/** Start of the remaining entries; undefined for a complete run. */
export const droppedIn = (entries: readonly Entry[]): Dropped | undefined =>
  entries.find((entry): entry is Dropped => entry.type === 'dropped')

const closes =
  (seq: number) =>
  (entry: Entry): boolean =>
    entry.type === 'closed' && entry.path === '' && entry.seq === seq
