export { condensed, droppedIn, entriesIn } from '../core/journal/condensed.ts'
export { GIVE_UP_AFTER, interruptionsIn } from '../core/journal/interruptions.ts'
export type {
  Beside,
  Ended,
  FromOutside,
  Leaving,
  Path,
  Requested,
} from '../core/journal/journal.ts'
export type { Snapshot } from '../core/journal/snapshot.ts'
