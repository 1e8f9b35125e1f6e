import type { WorkflowStatus } from '@dbos-inc/dbos-sdk'
import { isJson, isJsonObject, type RunPlace } from 'echelon/runtime'
import type { RunSummary } from 'echelon/internal/store'

/** Where a run with a journal is. */
export function placeOfRun({ status, reason, wakeAt }: RunSummary): RunPlace {
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
      return { type: wakeAt !== null && wakeAt <= Date.now() ? 'queued' : 'waiting' }
    case 'damaged':
      return { type: 'failed', reason: reason ?? 'its stored data is damaged' }
  }
}

/** Where the first leg of a run is, by its workflow. */
export function placeOfLeg({ status, output, error }: WorkflowStatus): RunPlace {
  switch (status) {
    case 'DELAYED':
      return { type: 'scheduled' }
    case 'ENQUEUED':
      return { type: 'queued' }
    case 'PENDING':
      return { type: 'working' }
    case 'ERROR':
    case 'MAX_RECOVERY_ATTEMPTS_EXCEEDED':
      return { type: 'failed', reason: error instanceof Error ? error.message : 'its leg failed' }
    default: {
      const end = isJson(output) && isJsonObject(output) ? output : {}
      const { type, reason } = end
      return type === 'failed' && typeof reason === 'string' ? { type, reason } : { type: 'ended' }
    }
  }
}
