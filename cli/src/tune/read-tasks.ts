import { createReadStream } from 'node:fs'
import { EchelonError } from 'echelon/runtime'
import { openGivenFileSync } from 'echelon/config'
import {
  type RecordedAnswer,
  readTraces,
  takeTask,
  type Trace,
  type TunedTask,
} from 'echelon/evals'
import { pricesAtOnce, unknownPrice } from 'echelon/internal/providers'
import { type Judges, judgesFor } from './evidence.ts'
import { unreadableReason } from '../unreadable-reason.ts'

export interface ReadOptions {
  /** Models from small to big; default: those of the first task without the opinions. */
  readonly ladder?: readonly string[]
  /** Models that are asked for second opinions only. */
  readonly opinions: readonly string[]
  /** US dollars of an answer, by model, for answers without a recorded cost. */
  readonly costs: ReadonlyMap<string, number>
  /** Called now and then with the number of tasks read; reading waits for it. */
  readonly onRead: (count: number) => Promise<void>
}

/** The tasks of a file, judged, without their text. */
export interface ReadTasks {
  readonly models: readonly string[]
  readonly judges: Judges
  readonly tasks: readonly TunedTask[]
}

/** Tasks between two calls of `onRead`. */
const HEARD_EVERY = 200

/**
 * Reads and judges traces, one task at a time.
 * @throws EchelonError INVALID_INPUT for a file that cannot be read, or a line that cannot be used
 */
export async function readTasks(file: string, options: ReadOptions): Promise<ReadTasks> {
  const costOf = pricing(options.costs)
  const tasks: TunedTask[] = []
  let found: Omit<ReadTasks, 'tasks'> | undefined
  for await (const trace of readTraces(textOf(file), file)) {
    found ??= { models: modelsOf(trace, options), judges: judgesFor(trace, options.opinions) }
    const { models, judges } = found
    const { verifiers, roles } = judges
    tasks.push(takeTask(trace, { models, verifiers, roles, costOf, name: file }))
    if (tasks.length % HEARD_EVERY === 0) await options.onRead(tasks.length)
  }
  if (found !== undefined) return { ...found, tasks }
  throw unreadable(file, 'it holds no tasks')
}

async function* textOf(file: string): AsyncGenerator<string> {
  try {
    const fd = openGivenFileSync(file)
    for await (const chunk of createReadStream(file, { fd, encoding: 'utf8' })) yield String(chunk)
  } catch (cause) {
    if (cause instanceof EchelonError) throw cause
    throw unreadable(file, unreadableReason(cause))
  }
}

const unreadable = (file: string, reason: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the traces ${file} cannot be read: ${reason}`)

/** @throws EchelonError INVALID_INPUT for a name that no answer of the first task has */
function modelsOf({ answers }: Trace, { ladder, opinions }: ReadOptions): readonly string[] {
  const recorded = answers.map(({ model }) => model)
  const named = [...(ladder ?? []), ...opinions]
  const missing = named.find((model) => !recorded.includes(model))
  if (missing !== undefined) {
    throw invalid(`the traces have no answers of ${missing}; they have ${recorded.join(', ')}`)
  }
  const twice = named.find((model, at) => named.indexOf(model) !== at)
  if (twice !== undefined) throw invalid(`${twice} is named twice; a model has one place`)
  return ladder ?? recorded.filter((model) => !opinions.includes(model))
}

const invalid = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)

/** The cost that the user names, or the price list's by the tokens. */
function pricing(costs: ReadonlyMap<string, number>): (answer: RecordedAnswer) => number | null {
  const list = pricesAtOnce()
  return ({ model, usage }) => {
    const named = costs.get(model)
    if (named !== undefined || usage === null) return named ?? null
    const slash = model.indexOf('/')
    const price = list?.priceOf(model.slice(0, slash), model.slice(slash + 1)) ?? unknownPrice
    return price(usage)
  }
}
