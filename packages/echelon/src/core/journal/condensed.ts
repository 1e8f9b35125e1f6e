import type { Dropped, Entry } from './journal.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * The entries of a run with a snapshot in the place of those that it was made of. A wish for the
 * run's end stays, whenever it was put on record.
 * @returns the entries as they are where the snapshot is of a step that they do not hold
 */
export function condensed(entries: readonly Entry[], snapshot: Snapshot): readonly Entry[] {
  const started = entries.findIndex((entry) => entry.type === 'started' && entry.path === '')
  const last = snapshot.seq === 0 ? started : entries.findIndex(closes(snapshot.seq - 1))
  const beginning = entries[started]
  if (beginning === undefined || last < 0) return entries
  const gone = entries.slice(started + 1, last + 1)
  const wishes = gone.filter(({ type }) => type === 'cancel-asked')
  const dropped: Dropped = { type: 'dropped', count: entriesIn(gone) - wishes.length, snapshot }
  return [beginning, dropped, ...wishes, ...entries.slice(last + 1)]
}

/** How many entries a run has on record, those that are kept no more included. */
export const entriesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.type === 'dropped' ? entry.count : 1), 0)

/** Where the entries begin that are there; nothing for a run that is whole. */
export const droppedIn = (entries: readonly Entry[]): Dropped | undefined =>
  entries.find((entry): entry is Dropped => entry.type === 'dropped')

const closes =
  (seq: number) =>
  (entry: Entry): boolean =>
    entry.type === 'closed' && entry.path === '' && entry.seq === seq
