import type { Entry, Journal } from '../core/journal/journal.ts'
import type { Timeline } from './timeline.ts'

/** A journal that reports what a run writes; `inner` is the program's own journal. */
export function timedJournal(
  inner: Journal | undefined,
  timeline: Timeline,
  hear: (run: string, entries: readonly Entry[]) => void,
): Journal {
  return {
    digests: inner?.digests !== false,
    append(run, entries) {
      hear(run, entries)
      const writing = inner?.append(run, entries)
      if (!(writing instanceof Promise)) return
      return timeline.settle(timeline.numbered(`journal ${run}`), writing)
    },
    read: (run) => inner?.read(run) ?? [],
  }
}
