import type { Listener, RunEvent } from '../../../core/agent/event.ts'
import type { Entry } from '../../../core/journal/journal.ts'
import { modelFailed } from '../../../core/model/model-failed.ts'
import type { Observation } from '../../../core/agent/observation.ts'
import type { Problem } from '../../../core/model/problem.ts'
import type { CaseResult } from './case-result.ts'
import type { DecideResult } from '../state.ts'

/** Tracks whether any model of a case answered, and the last error of one that did not. */
export class AskedModels implements Listener {
  readonly only: ReadonlySet<RunEvent['type']> = new Set(['step-end'])
  #hasAnswer = false
  readonly #problems: Problem[] = []

  /** @param entries the entries that an earlier process journaled for the case */
  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      if (entry.type === 'closed' && entry.path === '') this.#see(entry.seen)
    }
  }

  readonly hear = (event: RunEvent): void => {
    if (event.type === 'step-end' && event.path === '') this.#see(event.seen)
  }

  #see(seen: Observation): void {
    if (seen.type === 'generated') this.#hasAnswer = true
    if (seen.type === 'failed') this.#problems.push(seen.error)
  }

  /** Why no model could be asked; `null` if one answered, or if a limit ended the case. */
  problemOf({ reason }: Pick<DecideResult, 'reason'>): Problem | null {
    const last = this.#problems.at(-1)
    if (reason !== 'big_fail' || this.#hasAnswer || last === undefined) return null
    const alsoFailed = sameKey(last, this.#problems)
    return alsoFailed.length === 0 ? last : { ...last, alsoFailed }
  }
}

/** Other models of the provider whose key was wrong too: all have the same key. */
function sameKey({ code, model }: Problem, all: readonly Problem[]): readonly string[] {
  if (code !== 'auth' || model === undefined) return []
  const provider = model.slice(0, model.indexOf('/') + 1)
  const others = all.filter((one) => one.code === 'auth' && one.model !== model)
  const names = others.flatMap((one) => one.model ?? []).filter((name) => name.startsWith(provider))
  return [...new Set(names)]
}

/** @throws EchelonError MODEL_FAILED for a case in which no model could be asked at all */
export function assertAsked(result: CaseResult): CaseResult {
  const { problem, run_id: run } = result
  if (problem === null) return result
  // The result is already redacted.
  throw modelFailed({ run, problem, redact: (value) => value })
}
