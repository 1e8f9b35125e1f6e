import type { WorkflowStatus } from '@dbos-inc/dbos-sdk'
import { isJson, isJsonObject, type RunOrder, type RunPlace } from 'echelon/runtime'
import type { LegRequest } from '../leg.ts'

/** Where a run without a journal is, by the workflow of its first leg. */
export function placeOfLeg(flow: WorkflowStatus): RunPlace {
  const order = orderIn(flow.input)
  return { ...legPlace(flow), ...(order && { order }) }
}

function legPlace({ status, output, error }: WorkflowStatus): RunPlace {
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
      // Its next leg is not seen yet.
      if (type === 'yielded') return { type: 'queued' }
      return type === 'failed' && typeof reason === 'string' ? { type, reason } : { type: 'ended' }
    }
  }
}

/** Legs are written by this package only. */
function orderIn([leg]: readonly unknown[] = []): RunOrder | undefined {
  const { work } = isLeg(leg) ? leg : {}
  return work !== undefined && 'task' in work ? work : undefined
}

const isLeg = (leg: unknown): leg is LegRequest =>
  typeof leg === 'object' && leg !== null && 'work' in leg && typeof leg.work === 'object'
