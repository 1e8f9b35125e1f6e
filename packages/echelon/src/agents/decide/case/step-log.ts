import type { Generated, ToolsCalled } from '../../../core/agent/observation.ts'
import type { JsonObject } from '../../../core/value/json.ts'
import { summary } from '../plan/prompt.ts'
import type { Evidence, PhaseOf } from '../state.ts'
import { type LogFields, shorten, summarize } from './log.ts'

export const tokenUsage = ({
  usage: { input, output },
}: Generated): NonNullable<LogFields['token_usage']> => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

/** The verifier's computed values, for the log. */
export const recomputed = (
  { checks }: PhaseOf<'verify'>,
  outcomes: ToolsCalled['outcomes'],
): readonly JsonObject[] =>
  outcomes.map((outcome, index) => ({
    tool: checks[index]?.tool ?? '',
    args: shorten(checks[index]?.input ?? null),
    output_summary: summarize(shorten(summary(outcome))),
  }))

export const skipEvent = ({ outcome }: Evidence): string =>
  outcome.type === 'error' && outcome.code === 'UNKNOWN_TOOL' ? 'unknown_tool' : 'action_skipped'

export function logOf({ call, outcome }: Evidence): LogFields {
  const output_summary = summarize(shorten(summary(outcome)))
  const entry = { tool: call.tool, args: shorten(call.input), output_summary }
  return outcome.type === 'error' ? { ...entry, error_code: outcome.code } : entry
}
