import { relative } from 'node:path'
import { Readable } from 'node:stream'
import { spec } from 'node:test/reporters'
import attackTable, { type Event } from './attacks/table.ts'
import { IS_WHOLE, SEED } from './share.ts'

/** The number of slowest test files to name. */
const SLOWEST = 10

/**
 * Reporter for `node --test`: the output of `spec`, then the slowest files and the seed of this run's shares,
 * then the table of the attacks if any ran.
 */
export default async function* report(events: AsyncIterable<Event>): AsyncGenerator<string> {
  const attacks: Event[] = []
  const durations = new Map<string, number>()
  async function* watched(): AsyncGenerator<Event> {
    for await (const event of events) {
      if (event.data.file?.includes('/test/attacks/') === true) attacks.push(event)
      addDuration(durations, event)
      yield event
    }
  }
  yield* Readable.from(watched()).compose(new spec())
  yield* slowestFiles(durations)
  if (!IS_WHOLE) yield `\nSEED=${SEED} draws the same shares of long tests again\n`
  if (attacks.length === 0) return
  yield '\n'
  yield* attackTable(attacks)
}

/** Adds up the top-level tests and suites of each file; nested ones are part of their time. */
function addDuration(durations: Map<string, number>, { type, data }: Event): void {
  if (type !== 'test:pass' && type !== 'test:fail') return
  if (data.nesting > 0 || data.file === undefined) return
  durations.set(data.file, (durations.get(data.file) ?? 0) + data.details.duration_ms)
}

function* slowestFiles(durations: ReadonlyMap<string, number>): Generator<string> {
  const slowest = [...durations].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST)
  yield '\nslowest files\n'
  for (const [file, ms] of slowest) {
    yield `${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(process.cwd(), file)}\n`
  }
}
