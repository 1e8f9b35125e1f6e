import { DBOS, Error as DBOSErrors } from '@dbos-inc/dbos-sdk'
import {
  ADMISSION_WORKFLOW,
  directly,
  enqueued,
  LEG_WORKFLOW,
  legAgain,
  type LegOutcome,
  type LegRequest,
  resumeId,
} from '../leg.ts'
import type { FleetLimits } from '../limits.ts'

/** The parts that this process's workflows use. DBOS registers workflows once in a process. */
export interface WorkflowParts {
  readonly perform: (leg: LegRequest, canceled: AbortSignal) => Promise<LegOutcome>
  readonly limits: FleetLimits
}

/** Tries of a leg whose process lives, with doubling pauses from one second on: about four minutes. */
const TRIES = 8
/** Interval at which an admission checks whether its leg is over. */
const LOOK_MS = 100

/** A run that ends its workers is given up by its journal, which knows whether it makes progress. */
const UNLIMITED = 1_000_000_000

let parts: WorkflowParts | undefined
let isRegistered = false

/** Registers the workflows, before DBOS is launched. */
export function registerWorkflows(given: WorkflowParts): void {
  parts = given
  if (isRegistered) return
  isRegistered = true
  const maxRecoveryAttempts = UNLIMITED
  DBOS.registerWorkflow(performed, { name: LEG_WORKFLOW, maxRecoveryAttempts })
  DBOS.registerWorkflow(admitted, { name: ADMISSION_WORKFLOW, maxRecoveryAttempts })
}

function current(): WorkflowParts {
  if (parts === undefined) throw new Error('no worker has been started in this process')
  return parts
}

/** A leg is one step: what happens within is in the run's journal, and is resumed from there. */
async function performed(given: LegRequest): Promise<LegOutcome> {
  const { perform, limits } = current()
  const leg = taken(given)
  const end = await DBOS.runStep(
    () => perform(leg, DBOS.stepStatus?.cancelSignal ?? new AbortController().signal),
    { name: LEG_WORKFLOW, retriesAllowed: true, maxAttempts: TRIES },
  )
  if (end.type === 'waiting' && end.wakeAt !== null) {
    // It is there before this leg is over, so no turn of the session comes between.
    const { partition, principal, run, version } = leg
    const id = resumeId(run, `at-${end.wakeAt}`)
    const next = { id, run, begins: false, partition, principal, version, at: end.wakeAt }
    await enqueueAsleep({ ...next, nap: leg.nap === 'even' ? 'odd' : 'even' }, limits)
  }
  if (end.type === 'yielded') await enqueue(legAgain(leg, end.since, end.at), limits)
  return end
}

/** A leg that was adopted is of this release from here on. */
const taken = (leg: LegRequest): LegRequest => ({ ...leg, version: DBOS.applicationVersion })

/** Holds a slot of a principal for as long as the leg is queued or performed. */
async function admitted(given: LegRequest): Promise<void> {
  const leg = taken(given)
  const handle = await DBOS.enqueueWorkflowWithOptions(directly(leg), {
    ...leg,
    isAdmitted: true,
  })
  await handle.getResult({ pollingIntervalMs: LOOK_MS })
}

/** Enqueues the leg of a sleeping run. A mark that is there already, as of a nap that was cut short, is enough. */
async function enqueueAsleep({ nap, ...leg }: LegRequest, limits: FleetLimits): Promise<void> {
  try {
    await enqueue(nap === undefined ? leg : { ...leg, nap }, limits)
  } catch (error) {
    if (!(error instanceof DBOSErrors.DBOSQueueDuplicatedError)) throw error
    await enqueue(leg, limits)
  }
}

async function enqueue(leg: LegRequest, limits: FleetLimits): Promise<void> {
  await DBOS.enqueueWorkflowWithOptions(enqueued(leg, limits), leg)
}
