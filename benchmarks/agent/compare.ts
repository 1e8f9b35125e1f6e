import { bare } from './bare.ts'
import type { BarName, Measured } from './bars.ts'
import type { Contestant, Runner, Setup } from './contestant.ts'
import { echelon } from './echelon.ts'
import { median, race, type RaceOptions, ratio } from './measure.ts'
import { ANSWER, type CountedModel } from './model.ts'
import { only } from './options.ts'
import { peer } from './peer.ts'

/** What one run must come to, or nothing is timed. */
interface Expected {
  readonly modelCalls: number
  readonly toolCalls: number
  /** Messages of the longest prompt, at least. */
  readonly messages?: number
  /** Pieces of text of a watched run. */
  readonly deltas?: number
}

export interface Comparison {
  readonly bar: BarName
  readonly setup: () => Setup & { readonly model: CountedModel }
  readonly expected: Expected
  /** Default `run`. */
  readonly how?: keyof Runner
  /** Units of the figure in a microsecond; default 1. */
  readonly scale?: number
  readonly race?: RaceOptions
}

/**
 * Echelon, the bare loop and the peer on one model and one tool, in one process. Each is checked
 * before it is timed.
 */
export async function compare(comparison: Comparison): Promise<Measured> {
  const { bar, scale = 1 } = comparison
  const racers = []
  for (const contestant of only([echelon, bare, peer])) {
    racers.push({ name: contestant.name, once: await checked(contestant, comparison) })
  }
  const times = await race(racers, comparison.race)
  const figure = (name: 'echelon' | 'bare' | 'ai'): number => median(times[name] ?? []) / scale
  if (racers.length === 1) return { bar, echelon: figure('echelon') }
  return {
    bar,
    echelon: figure('echelon'),
    ai: figure('ai'),
    bare: figure('bare'),
    toAi: ratio(times.echelon, times.ai),
    toBare: ratio(times.echelon, times.bare),
  }
}

/** What is timed: whole runs of one contestant, of which one came to what it should. */
async function checked(
  contestant: Contestant,
  { setup: make, expected, how = 'run' }: Comparison,
): Promise<() => Promise<unknown>> {
  const setup = make()
  const runner = contestant.prepare(setup)
  const came =
    how === 'run' ? { answer: await runner.run('go') } : { deltas: await runner.stream('go') }
  const found = {
    ...came,
    modelCalls: setup.model.seen.calls,
    toolCalls: setup.tool.seen.calls,
    messages: setup.model.seen.messages,
  }
  const { deltas, messages = 0, ...counts } = expected
  const wanted = { ...(deltas === undefined ? { answer: ANSWER } : { deltas }), ...counts }
  for (const [name, value] of Object.entries(wanted)) {
    const had: unknown = Object.entries(found).find(([other]) => other === name)?.[1]
    if (had !== value)
      throw new Error(`${contestant.name}: ${name} is ${String(had)}, not ${value}`)
  }
  if (found.messages < messages) {
    throw new Error(`${contestant.name}: the model saw ${found.messages} messages, not ${messages}`)
  }
  return how === 'run' ? () => runner.run('go') : () => runner.stream('go')
}
