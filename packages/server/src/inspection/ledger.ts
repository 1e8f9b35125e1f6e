import type { LedgerModelView, LedgerView } from 'echelon/client'
import { inheritedBy, openHolds, spentSoFar } from 'echelon/internal/runtime'
import type { Amounts } from 'echelon/runtime'
import type { InspectedRun } from './inspected-run.ts'
import { modelsNow } from './models-now.ts'

/** The budget of a run, from what it recorded before each attempt and after each step. */
export function ledgerView({ id, started, entries, hasEnded }: InspectedRun): LedgerView {
  const { limits } = started
  const spent = spentSoFar(entries, {})
  const reserved = hasEnded ? {} : openHolds(entries)
  const left = Object.entries(limits).map(([counter, limit]) => [
    counter,
    Math.max(0, limit - (spent[counter] ?? 0) - (reserved[counter] ?? 0)),
  ])
  return {
    run: id,
    limits,
    spent,
    reserved,
    left: Object.fromEntries(left),
    models: modelsOf(spent, modelsNow(started, entries)),
    inherited: inheritedBy(started, entries),
  }
}

const ROLE = /^(?:calls|input|output|money|unpriced|assumed)\.(.+)$/

/** The budget that each role used; roles of the run come first, in their order. */
function modelsOf(
  spent: Amounts,
  models: Readonly<Record<string, string>>,
): readonly LedgerModelView[] {
  const counted = Object.keys(spent).flatMap((counter) => ROLE.exec(counter)?.[1] ?? [])
  const roles = [...new Set([...Object.keys(models), ...counted])]
  return roles.map((role) => {
    const of = (counter: string): number => spent[`${counter}.${role}`] ?? 0
    return {
      role,
      model: models[role] ?? null,
      calls: of('calls'),
      input_tokens: of('input'),
      output_tokens: of('output'),
      cost: of('money'),
      unpriced: of('unpriced'),
      assumed: of('assumed'),
    }
  })
}
