import type { JsonObject } from 'echelon/runtime'
import type { TurnEnd } from '../agents/served-agent.ts'
import type { LiveRun } from '../runs/live-run.ts'

/** Metadata of a run beside its answer: in the usage, and in headers. */
function toldOf({ id, agent }: LiveRun, end: TurnEnd | undefined): JsonObject {
  if (end === undefined) return { run: id, agent: agent.name }
  const { cost, checked, confidence, escalated, reason, rungs } = end
  return {
    run: id,
    agent: agent.name,
    model: modelOf(end) ?? null,
    cost,
    checked,
    confidence,
    escalated,
    reason,
    rungs: rungs.map((rung) => ({ ...rung })),
  }
}

/** The model that answered: the last one that was asked. */
const modelOf = ({ rungs }: TurnEnd): string | undefined => {
  const model = rungs.at(-1)?.model
  return model === '' ? undefined : model
}

/** @param end absent for a stream, whose headers go out before it is known, and for a run that waits */
export function headersOf({ id }: LiveRun, end?: TurnEnd): Record<string, string> {
  if (end === undefined) return { 'x-echelon-run': id }
  const { cost, checked, confidence, escalated } = end
  const model = modelOf(end)
  return {
    'x-echelon-run': id,
    ...(model !== undefined && { 'x-echelon-model': model }),
    ...(cost !== null && { 'x-echelon-cost': String(cost) }),
    'x-echelon-checked': checked,
    ...(confidence !== null && { 'x-echelon-confidence': String(confidence) }),
    'x-echelon-escalated': String(escalated),
  }
}

/** The usage of a chat completion. A run's tokens come with its last response. */
export function chatUsage(run: LiveRun, end: TurnEnd | undefined): JsonObject {
  const { input, output } = end?.usage ?? NOTHING
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
    echelon: toldOf(run, end),
  }
}

/** The usage of a response. */
export function responseUsage(run: LiveRun, end: TurnEnd | undefined): JsonObject {
  const { input, output } = end?.usage ?? NOTHING
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
    echelon: toldOf(run, end),
  }
}

const NOTHING: TurnEnd['usage'] = { input: 0, output: 0 }
