import type { AgentDefinition } from '../core/agent/agent.ts'
import type { Amounts } from '../core/agent/budget.ts'
import { entriesIn } from '../core/journal/condensed.ts'
import { GIVE_UP_AFTER, ruleOnResume } from '../core/journal/interruptions.ts'
import type { Ended } from '../core/journal/journal.ts'
import type { Json } from '../core/value/json.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Branch } from './branch.ts'
import { describeStep } from './journal/step-description.ts'
import type { Position } from './loop.ts'

/** Tools or models that the reason names; a step may hold many calls. */
const MOST_NAMED = 3

interface Resuming<State, Result> {
  readonly definition: AgentDefinition<Json, State, Result>
  readonly position: Position<State>
  /** The charges for attempts that are left open. */
  readonly charged: Amounts
  /** The end of a run that has ended. */
  readonly end: Ended | undefined
}

/**
 * Gives a run up whose process died too often without progress: records its end, and refuses to resume it.
 * @returns whether the process before died while the run worked
 * @throws EchelonError RUN_GIVEN_UP, also if the run was given up before
 */
export async function refuseHopeless<State, Result>(
  branch: Branch,
  { definition, position, charged, end }: Resuming<State, Result>,
): Promise<boolean> {
  const { journal, clock, services, entries, runId } = branch.tree
  if (end?.status === 'failed') throw givenUp(runId, end.reason)
  if (end !== undefined || services.journal === undefined) return false
  const { giveUpAfter = GIVE_UP_AFTER } = services.journal
  const isCutOff = (await services.journal.isCutOff?.(runId)) ?? false
  const at = clock.now()
  const ruling = ruleOnResume(entries, { isCutOff, at, giveUpAfter })
  const { isInterrupted, interruptions, givesUp } = ruling
  if (!givesUp) return isInterrupted
  // Asking the definition may be what ends the process. If it did so last time, it is not asked again.
  const work = interruptions > giveUpAfter ? '' : workIn(branch, definition, position.state)
  const reason = reasonOf(interruptions, position.seq, work)
  // One append: the run is taken over and ended, or neither.
  const after = entriesIn(entries)
  journal.push({ type: 'resumed', charged, at, after, interrupted: true })
  journal.push({ type: 'ended', path: '', status: 'failed', reason, at })
  await journal.flush()
  throw givenUp(runId, reason)
}

const givenUp = (run: string, reason: string): EchelonError =>
  new EchelonError('RUN_GIVEN_UP', reason, { details: { run } })

const reasonOf = (times: number, step: number, work: string): string =>
  `the run was given up at step ${step}: its process died ${times === 1 ? 'once' : `${times} times in a row`}${work}; mend what ends the process, such as a tool, and fork the run at step ${step}`

/** Names the tools or models of the open step. */
function workIn<State, Result>(
  branch: Branch,
  definition: AgentDefinition<Json, State, Result>,
  state: State,
): string {
  const asked = definition.next(state)
  if (asked.type === 'finish') return ' as it ended'
  const names = [...new Set(describeStep(branch, asked).targets)]
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return names.length === 0
    ? ` in the effect ${asked.type}`
    : ` in ${names.slice(0, MOST_NAMED).join(', ')}${more}`
}
