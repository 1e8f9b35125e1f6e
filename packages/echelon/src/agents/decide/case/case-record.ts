import type { Amounts } from '../../../core/agent/budget.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../core/value/json.ts'
import type { BoundModel } from '../../../core/model/model.ts'
import type { Recorder, RungUsage } from '../../../core/observability/run-record.ts'
import type { CaseResult } from './case-result.ts'
import { DECIDE } from '../decide.ts'
import type { LogEntry, StepType } from './log.ts'
import type { Policy } from '../settings/modes.ts'
import type { DecideSettings } from '../settings/settings.ts'
import { timestampIn } from '../../../core/value/timestamp.ts'

/** Tells whoever keeps records what happens to one case. */
export interface CaseRecord {
  acted(entry: LogEntry): void
  /** @param spent all that the run took, and not what it had of the run that it was forked from */
  ended(result: Ended, spent: Amounts): void
  /** Somebody else works on it. */
  refused(code: string): void
}

/** A result, or what there was when the run could not go on. */
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
  /** What the run was started with. */
  readonly input: Json
  readonly resumed?: true
}

/** Records that a case begins; nothing where nobody keeps records. */
export function recordCase(about: Recorded): CaseRecord | undefined {
  const { records, runId, taskId, timeZone, now, policy, settings, input } = about
  if (records === undefined) return undefined
  const { mode } = policy
  const of = () => ({ ts: timestampIn(timeZone, now()), runId, taskId, agent: DECIDE.name })
  const rungs = policy.rungs.map(({ role, model }) => ({
    role,
    model: about.models[role]?.id ?? model,
  }))
  records.record({
    ...of(),
    type: 'run-started',
    mode,
    models: rungs.map(({ model }) => model),
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
        rungs: rungs.map(({ role, model }, index) => ({
          tier: index === 0 ? 'small' : 'big',
          model,
          ...usageOf(role, spent),
        })),
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

/** Who takes a step, and what it is called where the entry has no name for it. */
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

const DETAILS = ['actions', 'attempts', 'limit', 'to', 'wait_ms']

/** What was done, with what, and why it failed. What models and tools wrote stays in the log. */
function detailsOf(entry: LogEntry): JsonObject {
  const { details = {} } = entry
  return Object.fromEntries([
    ...FIELDS.flatMap((name) => given(name, entry[name])),
    ...DETAILS.flatMap((name) => given(name, details[name])),
    ...given('checks', checksOf(details['checks'])),
  ])
}

/** What the verifier computed again, without what came of it. */
const checksOf = (checks: Json | undefined): Json | undefined =>
  isJsonArray(checks)
    ? checks.filter(isJsonObject).map(({ tool = null, args = null }) => ({ tool, args }))
    : undefined

const given = (name: string, value: Json | undefined): readonly [string, Json][] =>
  value === undefined ? [] : [[name, value]]
