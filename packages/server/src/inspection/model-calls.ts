import type { ModelCallList, ModelCallView, PageQuery } from 'echelon/client'
import {
  type Effect,
  isJsonObject,
  type Json,
  type Message,
  type Observation,
} from 'echelon/runtime'
import { isJsonArray } from 'echelon/internal/value'
import { foldSteps } from './folded-steps.ts'
import type { InspectedRun } from './inspected-run.ts'
import { modelsNow } from './models-now.ts'
import { pageOf } from './page.ts'
import { type RecordedStep, recordedSteps } from './recorded-steps.ts'

type Generate = Extract<Effect, { type: 'generate' }>

/** A call before it is shown: a prompt can hold a whole conversation. */
interface Call {
  readonly step: RecordedStep
  /** `undefined` for a call of a child run. */
  readonly asked: Generate | undefined
  readonly seen: Observation | null
}

/** The model calls of a run with their prompts and answers, in the order of their steps. */
export function modelCalls(run: InspectedRun, query: PageQuery): ModelCallList {
  const { steps, unknown } = foldSteps(run)
  const calls = recordedSteps(run.started, run.entries).flatMap((step): readonly Call[] => {
    const asked = step.path === '' ? steps.get(step.seq)?.asked : undefined
    return callsOf(step, asked?.type === 'finish' ? undefined : asked)
  })
  const { items, next } = pageOf(calls, { limit: PAGE, ...query })
  return { run: run.id, calls: items.map((call) => callView(run, call)), unknown, next }
}

/** Prompts are long. */
const PAGE = 20

function callsOf(step: RecordedStep, asked: Effect | undefined): readonly Call[] {
  const { seen } = step
  if (asked === undefined) return seen?.type === 'generated' ? [{ step, asked, seen }] : []
  if (asked.type === 'generate') return [{ step, asked, seen }]
  if (asked.type !== 'together') return []
  const all = seen?.type === 'together' ? seen.observations : []
  return asked.effects.flatMap((one, index) =>
    one.type === 'generate' ? [{ step, asked: one, seen: all[index] ?? null }] : [],
  )
}

function callView(
  { shown, redact, started, entries }: InspectedRun,
  { step, asked, seen }: Call,
): ModelCallView {
  const role = asked?.role ?? ''
  const bound = modelsNow(started, entries)[role] ?? role
  return {
    path: step.path,
    seq: step.seq,
    role: asked?.role ?? null,
    actor: asked?.actor ?? null,
    model: seen?.type === 'generated' ? seen.model : bound,
    closed_at: step.closedAt === null ? null : new Date(step.closedAt).toISOString(),
    prompt: asked === undefined ? null : asked.messages.toArray().map((one) => said(one, shown)),
    is_filtered: step.isFiltered,
    tools: asked?.tools ?? [],
    seen: redact(seen),
  }
}

const said = ({ role, content }: Message, shown: InspectedRun['shown']) => ({
  role,
  content: withoutFiles(shown(content)),
})

/** Files are shown by their length. */
function withoutFiles(content: Json): Json {
  if (!isJsonArray(content)) return content
  return content.map((part) =>
    isJsonObject(part) && part['type'] === 'file'
      ? { ...part, data: `${JSON.stringify(part['data'] ?? '').length} characters` }
      : part,
  )
}
