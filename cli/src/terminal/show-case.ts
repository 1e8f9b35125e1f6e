import { fileURLToPath } from 'node:url'
import type { CaseResult, LogEntry } from 'echelon/decide'
import pc from 'picocolors'
import { clean } from './clean.ts'
import { dollars } from './dollars.ts'
import { counted } from './counted.ts'

/** The error that an entry shows; the next entries often repeat it. */
export function errorIn({ step_type, output_summary = '' }: LogEntry): string | undefined {
  if (step_type !== 'L_exec') return undefined
  const { error } = parse(output_summary) ?? {}
  return typeof error === 'string' ? error : undefined
}

/**
 * Formats a log entry; undefined if it says nothing new.
 * @param shown an error that is already on the screen, and is not repeated
 */
export function describeEntry(entry: LogEntry, shown?: string): string | undefined {
  const { step_type, output_summary = '', decision } = entry
  const isShown = output_summary === shown
  if (entry.event === 'retry') return line('retry', pc.yellow(clean(output_summary)))
  if (entry.event === 'model_warning') {
    return line('warning', pc.dim(`${clean(entry.model ?? 'the model')}: ${clean(output_summary)}`))
  }
  if (entry.event === 'canceled') return line('stop', pc.yellow('canceled'))
  if (entry.event === 'call_cut_off' || entry.event === 'call_refused') {
    return line(LABELS[step_type], pc.yellow(clean(output_summary)))
  }
  switch (step_type) {
    case 'H_plan':
      return describePlan(entry)
    case 'L_exec':
      return line(
        'run',
        `${entry.tool ?? ''} ${inline(entry.args)} ${pc.dim('→')} ${describeOutput(entry)}`,
      )
    case 'verify': {
      const passed = entry.event === 'verified'
      if (entry.event === 'supported') return describeSupported(entry)
      const why = isShown ? 'nothing to check' : clean(output_summary)
      return line('verify', `${passed ? pc.green('✓') : pc.yellow('✗')} ${why}`)
    }
    case 'act':
      return decision === 'escalate'
        ? undefined
        : line('gate', isShown ? (decision ?? '') : `${decision ?? ''}: ${output_summary}`)
    case 'escalate':
      return describeEscalation(entry)
  }
}

/** Supported is not proven, so it does not look like one. */
function describeSupported({ metric, output_summary = '' }: LogEntry): string {
  const confidence = metric === undefined ? '' : ` (${metric.toFixed(2)})`
  return line('verify', `${pc.cyan('≈')} supported${confidence}: ${clean(output_summary)}`)
}

const LABELS: Readonly<Record<LogEntry['step_type'], string>> = {
  H_plan: 'plan',
  L_exec: 'run',
  verify: 'verify',
  act: 'gate',
  escalate: 'escalate',
}

const line = (label: string, text: string): string => `${pc.dim(label.padEnd(9))}${text}`

function describePlan({ event, model, output_summary = '', details }: LogEntry): string {
  const by = pc.cyan(model ?? 'the model')
  if (event === 'plan') return line('plan', `${by}: ${clean(output_summary)}`)
  if (event === 'answered') return line('plan', `${by} answers: ${clean(output_summary)}`)
  // The reason is printed once, at the end, since the next model often gives the same.
  if (event === 'declined') return line('plan', `${by} declines`)
  if (event === 'plan_schema_error') {
    return line('plan', `${by} returned no plan: ${clean(textOf(details?.['error']))}`)
  }
  return line('plan', `${by}: ${pc.yellow(clean(output_summary))}`)
}

function describeEscalation({ event, output_summary = '', details }: LogEntry): string {
  if (event === 'escalate_to_big') {
    const to = clean(textOf(details?.['to']))
    return line('escalate', `${pc.magenta('▲')} to ${to}: ${clean(output_summary)}`)
  }
  const limit = textOf(details?.['limit'])
  return line('escalate', `the limit of ${limit} leaves no room for a bigger model`)
}

/** The value or error of a tool result. */
function describeOutput({ output_summary = '' }: LogEntry): string {
  const result = parse(output_summary)
  if (result === undefined) return clip(output_summary)
  const { kind: _kind, code: _code, error, ...fields } = result
  if (typeof error === 'string') return pc.yellow(clean(error))
  if (typeof fields['refused'] === 'string') {
    return pc.yellow(`not called: the limit of ${fields['refused']} is reached`)
  }
  const shown = Object.entries(fields).map(([name, value]) => [name, plain(value)] as const)
  const [only] = shown
  if (only !== undefined && shown.length === 1) return clip(only[1])
  return clip(shown.map(([name, value]) => `${name} ${value}`).join(', '))
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Parses a summary, which is JSON unless it was cut. */
function parse(summary: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(summary)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const inline = (args: unknown): string => clip(JSON.stringify(args ?? null))

const WIDE = 88

function clip(text: string): string {
  const shown = clean(text)
  return shown.length <= WIDE ? shown : `${shown.slice(0, WIDE)}…`
}

const HINT =
  'This answer is not proved. Word the task more plainly, or check it with --gold ANSWER.'

/**
 * Formats the result of a run: the answer, whether it is verified, and its cost. Adds a hint unless the
 * user `asked` for a certain answer or tools. Without a verified answer, lists each reason for which a
 * model declined, once.
 */
export function describeResult(result: CaseResult, asked: boolean): string {
  const { verified, answer, explanation } = result
  const isSupported = result.checked === 'supported'
  const declined = verified || isSupported ? [] : reasonsIn(result)
  const files = Object.values(result.artifacts)
    .map(({ parts }) => fileURLToPath(parts[0].file.uri))
    .filter((file) => answer?.includes(file) !== true)
  const shown = answer === null ? [] : [pc.bold(clean(answer))]
  const lines = [
    '',
    ...shown,
    ...(verified ? [] : [pc.yellow(clean(explanation))]),
    ...declined.map(([reason, model]) => pc.dim(`${clean(model)} declined: ${clean(reason)}`)),
    ...(verified || asked || answer === null || isSupported ? [] : [pc.dim(HINT)]),
    ...files.map((file) => `file: ${file}`),
    pc.dim(`${verdictOf(result)} · ${describeCost(result)}`),
  ]
  return lines.join('\n')
}

/** Whether the answer was checked, and the outcome. */
export function verdictOf({
  checked,
  answer,
  confidence,
}: Pick<CaseResult, 'checked' | 'answer' | 'confidence'>): string {
  if (answer === null) return 'no answer'
  const scored = confidence === null ? '' : ` ${confidence.toFixed(2)}`
  return `${WORDS[checked]}${scored}`
}

const WORDS: Readonly<Record<CaseResult['checked'], string>> = {
  verified: 'verified',
  supported: 'supported',
  unsupported: 'not supported',
  refuted: 'refuted',
  not_checked: 'not checked',
}

/** Reasons why models declined that the explanation lacks, each with the first model that gave it. */
function reasonsIn({ logs, explanation }: CaseResult): readonly (readonly [string, string])[] {
  const reasons = new Map<string, string>()
  for (const { event, output_summary: reason = '', model = 'the model' } of logs) {
    // A summary in the log may be cut.
    const isSaid = explanation.includes(reason.replace(/…$/, '')) || reasons.has(reason)
    const isNew = event === 'declined' && !isSaid
    if (isNew) reasons.set(reason, model)
  }
  return [...reasons]
}

function describeCost({ rungs, opinions, counters, cost }: CaseResult): string {
  const calls = [...rungs, ...opinions]
    .filter(({ llm_calls }) => llm_calls > 0)
    .map(({ model, llm_calls }) => `${model} ${llm_calls}×`)
  const money = cost === null ? 'cost unknown' : dollars(cost)
  const tools = counted(counters.tool_calls, 'tool call')
  return [...calls, tools, money].join(' · ')
}
