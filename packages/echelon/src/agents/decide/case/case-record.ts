import type { Amounts } from '../../../core/agent/budget.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import type { BoundModel } from '../../../core/model/model.ts'
import type { Recorder, RungUsage } from '../../../core/observability/run-record.ts'
import type { CaseResult } from './case-result.ts'
import { DECIDE } from '../decide.ts'
import type { LogEntry, StepType } from './log.ts'
import type { AskedRole, Policy } from '../settings/modes.ts'
import type { DecideSettings } from '../settings/settings.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

/** Reports the progress of one case to the recorder. */
export interface CaseRecord {
  acted(entry: LogEntry): void
  /** @param spent what this run used, without what it inherited from the run it was forked from */
  ended(result: Ended, spent: Amounts): void
  /** Another process is working on the case. */
  refused(code: string): void
}

/** A result, or the partial result of a run that could not go on. */
type Ended = Omit<CaseResult, 'finish_reason'> & { readonly finish_reason: string }

interface Recorded {
  readonly records: Recorder | undefined
  readonly runId: string
  readonly taskId: string
  /** IANA name. */
  readonly timeZone: string
  readonly now: () => number
  readonly policy: Policy
  readonly settings: DecideSettings
  /** By role. */
  readonly models: Readonly<Record<string, BoundModel>>
  /** The run's input. */
  readonly input: Json
  readonly resumed?: true
}

/** Records the start of a case. Returns nothing without a recorder. */
export function recordCase(about: Recorded): CaseRecord | undefined {
  const { records, runId, taskId, timeZone, now, policy, settings, input } = about
  if (records === undefined) return undefined
  const { mode } = policy
  const of = () => ({ ts: timestampIn(timeZone, now()), runId, taskId, agent: DECIDE.name })
  records.record({
    ...of(),
    type: 'run-started',
    mode,
    models: policy.rungs.map((rung) => modelOf(about, rung)),
    input: textOf(input),
    settings,
    resumed: about.resumed === true,
  })
  return {
    acted(entry) {
      const { actor, action } = STEPS[entry.step_type]
      const { ts, event = action } = entry
      const details = detailsOf(entry)
      records.record({ type: 'run-acted', ts, runId, taskId, actor, action: event, details })
    },
    ended({ finish_reason, limit, verified, counters, artifacts }, spent) {
      records.record({
        ...of(),
        type: 'run-ended',
        mode,
        finishReason: finish_reason,
        limit,
        verified,
        seconds: spent['seconds'] ?? 0,
        toolCalls: counters.tool_calls,
        actSteps: counters.act_steps,
        rungs: rungUsage(about, spent),
        artifacts: Object.values(artifacts).map(({ name, metadata: { bytes, sha256 } }) => ({
          name,
          bytes,
          sha256,
        })),
      })
    },
    refused(code) {
      const { ts, agent } = of()
      records.record({ type: 'run-refused', ts, agent, code })
    },
  }
}

/** The usage of the ladder, then that of the models that verifiers of answers asked. */
function rungUsage(about: Recorded, spent: Amounts): readonly RungUsage[] {
  const { rungs, asked } = about.policy
  return [
    ...rungs.map((rung, index) => ({
      tier: index === 0 ? 'small' : 'big',
      model: modelOf(about, rung),
      ...usageOf(rung.role, spent),
    })),
    ...asked.map((one) => ({
      tier: 'opinion',
      model: modelOf(about, one),
      ...usageOf(one.role, spent),
    })),
  ]
}

const modelOf = ({ models }: Recorded, { role, model }: AskedRole): string =>
  models[role]?.id ?? model

const textOf = (input: Json): string => {
  const text = isJsonObject(input) ? input['input'] : undefined
  return typeof text === 'string' ? text : ''
}

const usageOf = (role: string, spent: Amounts): Omit<RungUsage, 'tier' | 'model'> => ({
  llmCalls: spent[`calls.${role}`] ?? 0,
  promptTokens: spent[`input.${role}`] ?? 0,
  completionTokens: spent[`output.${role}`] ?? 0,
  knownCost: spent[`money.${role}`] ?? 0,
  unpricedCalls: spent[`unpriced.${role}`] ?? 0,
  ...(spent[`assumed.${role}`] !== undefined && { assumedCalls: spent[`assumed.${role}`] }),
})

/** The actor of each step, and the step's name if its entry has no event name. */
const STEPS: Readonly<Record<StepType, { readonly actor: string; readonly action: string }>> = {
  H_plan: { actor: 'planner', action: 'plan' },
  L_exec: { actor: 'executor', action: 'tool_called' },
  verify: { actor: 'verifier', action: 'checked' },
  act: { actor: 'gate', action: 'decided' },
  escalate: { actor: 'escalator', action: 'escalated' },
}

const FIELDS = [
  'step_id',
  'tier',
  'rung',
  'model',
  'tool',
  'args',
  'metric',
  'decision',
  'error_code',
  'token_usage',
] as const

const DETAILS = ['actions', 'attempts', 'confidence', 'limit', 'status', 'to', 'wait_ms']

/** The calls, their arguments, and why they failed. Text by models and tools stays in the log. */
function detailsOf(entry: LogEntry): JsonObject {
  const { details = {} } = entry
  return Object.fromEntries([
    ...FIELDS.flatMap((name) => given(name, entry[name])),
    ...DETAILS.flatMap((name) => given(name, details[name])),
    ...given('checks', checksOf(details['checks'])),
  ])
}

/** The verifier's recomputed calls, without their results. */
const checksOf = (checks: Json | undefined): Json | undefined =>
  isJsonArray(checks)
    ? checks.filter(isJsonObject).map(({ tool = null, args = null }) => ({ tool, args }))
    : undefined

const given = (name: string, value: Json | undefined): readonly [string, Json][] =>
  value === undefined ? [] : [[name, value]]
