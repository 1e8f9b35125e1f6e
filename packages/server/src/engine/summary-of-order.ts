import type { RunPlace } from 'echelon/runtime'
import type { RunStatus, RunSummary } from 'echelon/internal/store'
import { madeBy } from '../runs/owner.ts'
import { principalOf, readTurn } from './turn-order.ts'

/** The summary of a run that was ordered and has no journal yet; `undefined` if its order is not known. */
export function summaryOfOrder(place: RunPlace): RunSummary | undefined {
  const { order } = place
  if (order === undefined) return undefined
  const turn = readTurn(order.task)
  return {
    id: order.run,
    agent: turn.agent,
    version: 0,
    status: STATUS[place.type],
    reason: place.type === 'failed' ? place.reason : null,
    input: turn.input.text,
    made: madeBy(principalOf(turn), turn.agent),
    session: order.session ?? null,
    forkedFrom: null,
    beganAt: turn.held.at,
    changedAt: turn.held.at,
    wakeAt: null,
    requests: [],
    isCancelAsked: false,
  }
}

const STATUS: Readonly<Record<RunPlace['type'], RunStatus>> = {
  scheduled: 'waiting',
  queued: 'running',
  working: 'running',
  waiting: 'waiting',
  // Without a journal, it was canceled before it began.
  ended: 'canceled',
  failed: 'interrupted',
}
