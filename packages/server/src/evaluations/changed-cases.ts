import type {
  ChangedCaseView,
  EvaluatedCaseView,
  EvaluationChanges,
  EvaluationView,
} from 'echelon/client'
import { isJsonArray } from 'echelon/internal/value'
import { isJsonObject, type Json, type JsonObject } from 'echelon/runtime'

/** The cases that went differently in a later evaluation, in the order of their data set. */
export function changedCases(
  before: EvaluationView,
  after: EvaluationView,
  questions: ReadonlyMap<string, string>,
): EvaluationChanges {
  const [then, now] = [casesIn(before.metrics), casesIn(after.metrics)]
  const ids = [...new Set([...now.keys(), ...then.keys()])]
  const cases = ids.flatMap((id): readonly ChangedCaseView[] => {
    const [was, is] = [then.get(id) ?? null, now.get(id) ?? null]
    if (was !== null && is !== null && wentAlike(was, is)) return []
    return [{ id, question: questions.get(id) ?? null, before: was, after: is }]
  })
  return { before: before.id, after: after.id, cases, unchanged: ids.length - cases.length }
}

/** Costs and seconds always differ a little. */
const wentAlike = (a: EvaluatedCaseView, b: EvaluatedCaseView): boolean =>
  a.success === b.success &&
  a.outcome === b.outcome &&
  a.checked === b.checked &&
  a.right === b.right &&
  a.escalated === b.escalated

/** The first run of each case of `metrics.json`, by the id of the case. */
function casesIn(metrics: JsonObject | null): ReadonlyMap<string, EvaluatedCaseView> {
  const cases = arrayIn(metrics?.['cases'])
  const found = cases.flatMap((each): [string, EvaluatedCaseView][] => {
    const { id, runs } = isJsonObject(each) ? each : {}
    const [first] = arrayIn(runs)
    return typeof id === 'string' && isJsonObject(first) ? [[id, caseView(first)]] : []
  })
  return new Map(found)
}

const arrayIn = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : [])

const caseView = (run: JsonObject): EvaluatedCaseView => ({
  run: textIn(run, 'run_id'),
  success: run['success'] === true,
  outcome: textIn(run, 'outcome'),
  checked: textIn(run, 'checked'),
  right: typeof run['right'] === 'boolean' ? run['right'] : null,
  escalated: run['escalated'] === true,
  cost: typeof run['cost'] === 'number' ? run['cost'] : null,
  seconds: typeof run['seconds'] === 'number' ? run['seconds'] : 0,
})

function textIn(run: JsonObject, name: string): string {
  const value = run[name]
  return typeof value === 'string' ? value : ''
}
