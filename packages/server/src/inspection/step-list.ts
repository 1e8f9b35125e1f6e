import type { PageQuery, StepList, StepStateView, StepView } from 'echelon/client'
import { isJsonObject, type Json } from 'echelon/runtime'
import { notFound } from '../http/problem.ts'
import { effectView } from './effect-view.ts'
import { foldSteps, type FoldedRun } from './folded-steps.ts'
import type { InspectedRun } from './inspected-run.ts'
import { modelsNow } from './models-now.ts'
import { pageOf } from './page.ts'
import { type RecordedStep, recordedSteps } from './recorded-steps.ts'
import { stateChanges } from './state-changes.ts'

/** The steps of a run. */
export function stepList(run: InspectedRun, query: PageQuery): StepList {
  const folded = foldSteps(run)
  const { items, next } = pageOf(recordedSteps(run.started, run.entries), query)
  const states = new ShownStates(run, folded)
  return {
    run: run.id,
    models: run.started.models,
    steps: items.map((step) => stepView(run, step, folded, states)),
    first: folded.first,
    unknown: folded.unknown,
    next,
  }
}

/**
 * A step of the run itself with the states around it.
 * @throws HttpProblem 404 for a step that is not on record
 */
export function stepState(run: InspectedRun, seq: number): StepStateView {
  const folded = foldSteps(run)
  const step = recordedSteps(run.started, run.entries).find(
    (one) => one.path === '' && one.seq === seq,
  )
  if (step === undefined) throw notFound(`step ${seq} of this run`)
  const states = new ShownStates(run, folded)
  const { before, after } = states.around(seq)
  return {
    step: stepView(run, step, folded, states),
    before,
    after,
    changes: after === null ? [] : stateChanges(before, after),
    unknown: folded.steps.has(seq)
      ? null
      : (folded.unknown ?? 'the state of this step is not known'),
  }
}

function stepView(
  { shown, redact, started, entries }: InspectedRun,
  step: RecordedStep,
  { steps }: FoldedRun,
  states: ShownStates,
): StepView {
  const { path, seq, seen } = step
  const folded = path === '' ? steps.get(seq) : undefined
  const models = modelsNow(started, entries)
  const { before, after } = path === '' ? states.around(seq) : NO_STATES
  return {
    path,
    seq,
    ...effectView({ asked: folded?.asked, seen, models }),
    opened_at: isoTime(step.openedAt),
    closed_at: step.closedAt === null ? null : isoTime(step.closedAt),
    seen: redact(seen),
    reserved: step.reserved,
    spent: step.spent,
    notes: (folded?.notes ?? []).map(({ stage, data }) => ({ stage, data: objectOf(shown(data)) })),
    asked: step.asked.map(({ id, about, at, reply, by }) => ({
      id,
      about: shown(about),
      asked_at: isoTime(at),
      reply: shown(reply),
      replied_by: by,
    })),
    changed:
      after === null
        ? []
        : stateChanges(before, after).map(({ op, path: at }) => ({ op, path: at })),
  }
}

const NO_STATES: { readonly before: Json; readonly after: Json } = { before: null, after: null }

/** The states of a run as observers see them: each is redacted once, since it can hold a whole conversation. */
class ShownStates {
  readonly #run: InspectedRun
  readonly #folded: FoldedRun
  readonly #shown = new Map<unknown, Json>()

  constructor(run: InspectedRun, folded: FoldedRun) {
    this.#run = run
    this.#folded = folded
  }

  around(seq: number): { readonly before: Json; readonly after: Json } {
    const step = this.#folded.steps.get(seq)
    if (step === undefined) return NO_STATES
    return { before: this.#of(step.before), after: 'after' in step ? this.#of(step.after) : null }
  }

  #of(state: unknown): Json {
    const known = this.#shown.get(state)
    if (known !== undefined) return known
    const shown = this.#run.shown(state)
    this.#shown.set(state, shown)
    return shown
  }
}

const objectOf = (value: Json) => (isJsonObject(value) ? value : {})

const isoTime = (at: number): string => new Date(at).toISOString()
