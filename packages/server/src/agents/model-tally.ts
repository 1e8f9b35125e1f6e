import type { Amounts, RunEvent } from 'echelon/runtime'
import type { RungUsage, TurnEnd } from './served-agent.ts'

/** Usage of the models in a turn. */
export type Took = Pick<TurnEnd, 'usage' | 'cost' | 'rungs'>

/** Usage of each model in a turn, summed up from its events. */
export class ModelTally {
  readonly #rungs = new Map<string, RungUsage>()
  #last: string | undefined
  #spent: Amounts = {}

  hear(event: RunEvent): void {
    if (event.type === 'run-end') this.#spent = event.spent
    if (event.type !== 'step-end' || event.seen.type !== 'generated') return
    const { model, usage, cost, took = [{ model, usage, cost }] } = event.seen
    for (const one of took) this.#add({ calls: 1, ...one.usage, model: one.model, cost: one.cost })
    // A sub-agent's answer is not the turn's.
    if (event.path === '') this.#last = model
  }

  /**
   * The models, the one that answered last. Amounts that no event reports are added to it, so that the sum
   * is the turn's: calls that failed, and what an earlier process or the origin of a fork did.
   */
  rungs(
    { usage, cost }: Pick<TurnEnd, 'usage' | 'cost'>,
    answeredBy: string | undefined,
    otherwise: string,
  ): readonly RungUsage[] {
    const heard = [...this.#rungs.values()]
    const sum = heard.reduce(sumOf, { ...NOTHING, model: '' })
    const model = answeredBy ?? this.#last ?? otherwise
    const rest = {
      model,
      calls: heard.length === 0 ? 1 : 0,
      input: Math.max(0, usage.input - sum.input),
      output: Math.max(0, usage.output - sum.output),
      cost: cost === null || sum.cost === null ? null : Math.max(0, cost - sum.cost),
    }
    const answering = this.#rungs.get(model)
    // Below it, a difference is an error of floating point.
    const isWhole = rest.input === 0 && rest.output === 0 && (rest.cost ?? 0) < 1e-9
    const last = answering === undefined ? rest : isWhole ? answering : sumOf(answering, rest)
    return [...heard.filter((rung) => rung.model !== model), last]
  }

  /**
   * The usage of a turn whose agent reports it only through events.
   * @param otherwise the model of a call that no event tells
   */
  took(otherwise: string): Took {
    const sum = (counter: string): number =>
      Object.entries(this.#spent).reduce(
        (all, [name, amount]) => (name.startsWith(`${counter}.`) ? all + amount : all),
        0,
      )
    const usage = { input: sum('input'), output: sum('output') }
    const cost = sum('unpriced') > 0 ? null : sum('money')
    return {
      usage,
      cost,
      rungs: sum('calls') === 0 ? [] : this.rungs({ usage, cost }, undefined, otherwise),
    }
  }

  #add(took: RungUsage): void {
    const before = this.#rungs.get(took.model) ?? { ...NOTHING, model: took.model }
    this.#rungs.set(took.model, sumOf(before, took))
  }
}

const NOTHING = { calls: 0, input: 0, output: 0, cost: 0 }

const sumOf = (a: RungUsage, b: RungUsage): RungUsage => ({
  model: a.model,
  calls: a.calls + b.calls,
  input: a.input + b.input,
  output: a.output + b.output,
  cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
})
