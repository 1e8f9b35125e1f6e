import type { RecordedAttempt } from './record.ts'

/** The settings under which a record is replayed. */
export interface HaltingSettings {
  /** `act.max_steps`: rounds with the small model after the first. */
  readonly maxSteps: number
  /** `act.no_progress_patience`. */
  readonly patience: number
  readonly escalateWhen: 'fail' | 'fail_or_budget'
  /** `success`: only a success is progress. `reflections`: a new reflection is, too. */
  readonly progress: 'success' | 'reflections'
}

/** How a run ended: the fields that the agent's result and view must have. */
export interface Halted {
  readonly finish_reason: string
  readonly limit: string | null
  readonly verified: boolean
  readonly tier: string
  readonly act_steps: number
  readonly tool_calls: number
  readonly llm_calls_small: number
  readonly llm_calls_big: number
  readonly stalled_rounds: number
  readonly best_metric: number
}

/** More reflections than any agent writes: a new one raises the metric by a fiftieth. */
const MOST_REFLECTIONS = 50

/** Quality of an attempt, 0 to 1. */
export function metricOf(
  { success, reflections }: RecordedAttempt,
  progress: HaltingSettings['progress'],
): number {
  if (success) return 1
  return progress === 'reflections' ? Math.min(0.98, reflections / MOST_REFLECTIONS) : 0
}

/** The smallest progress: `act.min_improvement`, or a whole point if an attempt is only right or wrong. */
const MIN_IMPROVEMENT = { success: 1, reflections: 0.01 }

/** Rounds of the top model: one, and one retry. */
const TOP_ROUNDS = 2

/**
 * The end of a run, worked out from its record alone by the written rules: stop at a success; after each round
 * without progress beyond patience, promote; after `max_steps` further rounds, promote or stop with `budget`, as
 * `escalate_when` says; the top model has one retry. Undefined if the record ends first. It shares no code with
 * the agent.
 */
export function haltedByRecord(
  attempts: readonly RecordedAttempt[],
  { maxSteps, patience, escalateWhen, progress }: HaltingSettings,
): Halted | undefined {
  let used = 0
  let small = 0
  for (const tier of ['small', 'big']) {
    let best = 0
    let stalled = 0
    for (let round = 1; ; round++) {
      const attempt = attempts[used]
      if (attempt === undefined) return undefined
      used++
      if (tier === 'small') small++
      const metric = metricOf(attempt, progress)
      stalled = metric - best >= MIN_IMPROVEMENT[progress] ? 0 : stalled + 1
      best = Math.max(best, metric)
      const end = (finish_reason: string, limit: string | null): Halted => ({
        finish_reason,
        limit,
        verified: finish_reason === 'success',
        tier,
        act_steps: used,
        tool_calls: used,
        llm_calls_small: small,
        llm_calls_big: used - small,
        stalled_rounds: stalled,
        best_metric: best,
      })
      if (attempt.success) return end('success', null)
      if (tier === 'big' && round === TOP_ROUNDS) return end('big_fail', null)
      if (tier === 'big') continue
      if (stalled > patience) break
      if (round <= maxSteps) continue
      if (escalateWhen === 'fail') return end('budget', 'rounds')
      break
    }
  }
  return undefined
}
