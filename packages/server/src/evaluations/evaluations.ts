import type { EvaluationChanges, EvaluationView, GateView } from 'echelon/client'
import { isJson, isJsonObject, type Json, type JsonObject } from 'echelon/runtime'
import { changedCases } from './changed-cases.ts'
import type { Booking } from '../access/cost-book.ts'
import type { SharedRecords } from '../access/shared-record.ts'
import { HttpProblem, notFound } from '../http/problem.ts'

/** The cost of a case. */
export type CaseCost = Omit<Booking, 'user'>

/** Runs data sets for a server, such as `evaluationsIn` of a folder. */
export interface DatasetRunner {
  /** Names of the data sets. */
  list(): Promise<readonly string[]>
  /**
   * Runs one to its end.
   * @param told called after each case
   * @returns its metrics, and the bounds that it has to keep
   */
  run(
    name: string,
    options: {
      readonly signal: AbortSignal
      readonly told: (done: number, planned: number) => void
      /** Called with the cost of each case as soon as it is known, since an evaluation may be stopped. */
      readonly spent: (cost: CaseCost) => void
    },
  ): Promise<{ readonly metrics: JsonObject; readonly gates: readonly GateView[] }>
  /** The questions of a data set by the id of their case, for those who compare evaluations. */
  questions?(name: string): Promise<ReadonlyMap<string, string>>
}

export interface EvaluationsOptions {
  readonly runner: DatasetRunner
  readonly records: SharedRecords
  readonly now: () => number
  readonly nextId: () => string
  /** Books the cost of a case under the operator who started the evaluation. */
  readonly book: (booking: Booking) => void
  readonly onFault: (error: unknown) => void
}

const INDEX = 'server/evaluations'
const MOST_KEPT = 100

/** The evaluations of a server: one at a time, with their results in the store. */
export class Evaluations {
  readonly #options: EvaluationsOptions
  #current: { view: EvaluationView; stop: AbortController; over: Promise<void> } | undefined

  constructor(options: EvaluationsOptions) {
    this.#options = options
  }

  datasets(): Promise<readonly string[]> {
    return this.#options.runner.list()
  }

  /**
   * Starts an evaluation for an operator, who pays for it.
   * @throws HttpProblem 404 for an unknown data set, 409 while another one runs
   */
  async start(dataset: string, user: string): Promise<EvaluationView> {
    const { runner, now, nextId } = this.#options
    if (!(await runner.list()).includes(dataset)) throw notFound(`data set ${dataset}`)
    if (this.#current !== undefined) {
      throw new HttpProblem(409, 'evaluation_runs', 'another evaluation is in progress')
    }
    const view: EvaluationView = {
      id: nextId(),
      dataset,
      status: 'running',
      began_at: new Date(now()).toISOString(),
      ended_at: null,
      done: 0,
      planned: null,
      metrics: null,
      gates: [],
      problem: null,
    }
    const stop = new AbortController()
    const current = { view, stop, over: Promise.resolve() }
    this.#current = current
    current.over = this.#run(current, user)
    return view
  }

  /** Newest first. */
  async list(): Promise<readonly EvaluationView[]> {
    const kept = viewsIn(await this.#options.records.read(INDEX))
    return this.#current === undefined ? kept : [this.#current.view, ...kept]
  }

  /** @throws HttpProblem 404 */
  async find(id: string): Promise<EvaluationView> {
    const found = (await this.list()).find((one) => one.id === id)
    if (found === undefined) throw notFound(`evaluation ${id}`)
    return found
  }

  /**
   * The cases that went differently in two evaluations of a data set.
   * @throws HttpProblem 404, also for evaluations of two data sets
   */
  async changes(since: string, id: string): Promise<EvaluationChanges> {
    const [before, after] = [await this.find(since), await this.find(id)]
    if (before.dataset !== after.dataset) {
      throw notFound(`evaluation ${since} of the data set ${after.dataset}`)
    }
    const questions = (await this.#options.runner.questions?.(after.dataset)) ?? new Map()
    return changedCases(before, after, questions)
  }

  /** Ends the one in progress with the results so far. */
  async stop(): Promise<void> {
    this.#current?.stop.abort()
    await this.#current?.over
  }

  async #run(
    current: { view: EvaluationView; stop: AbortController },
    user: string,
  ): Promise<void> {
    const { runner, book, onFault, records, now } = this.#options
    let ended: Pick<EvaluationView, 'status' | 'metrics' | 'gates' | 'problem'>
    try {
      const { metrics, gates } = await runner.run(current.view.dataset, {
        signal: current.stop.signal,
        told: (done, planned) => (current.view = { ...current.view, done, planned }),
        spent: (cost) => book({ user, ...cost }),
      })
      const status = current.stop.signal.aborted ? 'stopped' : 'finished'
      ended = { status, metrics, gates, problem: null }
    } catch (error) {
      onFault(error)
      ended = {
        status: 'failed',
        metrics: null,
        gates: [],
        problem: 'it failed; the log of the server says why',
      }
    }
    const view = { ...current.view, ...ended, ended_at: new Date(now()).toISOString() }
    try {
      await records.change(INDEX, `server:evaluation/${view.id}`, (value) => ({
        value: written([view, ...viewsIn(value)].slice(0, MOST_KEPT)),
        result: undefined,
      }))
    } catch (error) {
      onFault(error)
    }
    this.#current = undefined
  }
}

const written = (views: readonly EvaluationView[]): Json => ({
  version: 1,
  evaluations: views.map(({ gates, ...view }) => ({
    ...view,
    gates: gates.map((gate) => ({ ...gate })),
  })),
})

function viewsIn(value: Json): readonly EvaluationView[] {
  const list = isJsonObject(value) ? value['evaluations'] : undefined
  // Those that an older version kept have no gates.
  return Array.isArray(list)
    ? list.filter(isView).map((view) => ({ ...view, gates: view.gates ?? [] }))
    : []
}

/** Only this class writes them. */
const isView = (value: unknown): value is EvaluationView =>
  isJson(value) && isJsonObject(value) && typeof value['id'] === 'string'
