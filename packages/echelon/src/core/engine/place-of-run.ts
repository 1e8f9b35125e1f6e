import type { RunSummary } from '../store/run-store.ts'
import type { RunPlace } from './engine.ts'

/** The place of a run in the store that no process is known to perform. */
export function placeOfRun({ status, reason, wakeAt }: RunSummary, now: number): RunPlace {
  switch (status) {
    case 'finished':
    case 'canceled':
      return { type: 'ended' }
    case 'running':
      return { type: 'working' }
    case 'interrupted':
      return { type: 'queued' }
    case 'waiting':
      // It was answered, or its time has come.
      return { type: wakeAt !== null && wakeAt <= now ? 'queued' : 'waiting' }
    case 'failed':
      return { type: 'failed', reason: reason ?? 'it was given up' }
    case 'damaged':
      return { type: 'failed', reason: reason ?? 'its stored data is damaged' }
  }
}
