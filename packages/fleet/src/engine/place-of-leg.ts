import type { WorkflowStatus } from '@dbos-inc/dbos-sdk'
import { isJson, isJsonObject, type RunPlace } from 'echelon/runtime'
import type { KeptOrder } from 'echelon/internal/store'

/** Where a run without a journal is, by the workflow of its first leg. @param kept its order in the store */
export function placeOfLeg(flow: WorkflowStatus, kept: KeptOrder | undefined): RunPlace {
  const place = legPlace(flow, kept?.problem)
  return { ...place, ...(kept?.order && { order: kept.order }) }
}

function legPlace(
  { status, output }: Pick<WorkflowStatus, 'status' | 'output'>,
  problem = 'its leg failed',
): RunPlace {
  switch (status) {
    case 'DELAYED':
      return { type: 'scheduled' }
    case 'ENQUEUED':
      return { type: 'queued' }
    case 'PENDING':
      return { type: 'working' }
    case 'ERROR':
    case 'MAX_RECOVERY_ATTEMPTS_EXCEEDED':
      return { type: 'failed', reason: problem }
    default: {
      const { type } = isJson(output) && isJsonObject(output) ? output : {}
      // Its next leg is not seen yet.
      if (type === 'yielded') return { type: 'queued' }
      return type === 'failed' ? { type, reason: problem } : { type: 'ended' }
    }
  }
}
