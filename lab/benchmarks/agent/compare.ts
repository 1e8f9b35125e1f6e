import { bare } from './bare.ts'
import type { BarName, Measured } from './bars.ts'
import type { Contestant, Runner, Setup } from './contestant.ts'
import { echelon } from './echelon.ts'
import { median, race, type RaceOptions, type Racer, ratio } from './measure.ts'
import { ANSWER, type CountedModel } from './model.ts'
import { entered } from './options.ts'
import { peer } from './peer.ts'

/** Required result of a run; otherwise nothing is timed. */
interface Expected {
  readonly modelCalls: number
  readonly toolCalls: number
  /** Minimum number of messages in the longest prompt. */
  readonly messages?: number
  /** Text deltas of a watched run. */
  readonly deltas?: number
}

export interface Comparison {
  readonly bar: BarName
  readonly setup: (name: Contestant['name']) => Setup & { readonly model: CountedModel }
  readonly expected: Expected
  /**
   * The same with shorter waits, for warm-up: a figure that mostly waits would never warm up, and would
   * measure the compiler.
   */
  readonly warm?: Comparison['setup']
  /** Default `run`. */
  readonly how?: keyof Runner
  /** Microseconds in the figure's unit; default 1. */
  readonly scale?: number
  readonly race?: RaceOptions
  readonly note?: string
}

/**
 * Compares Echelon, the bare loop and the peer on one model and one tool, in one process. Each result is
 * checked before timing.
 */
export async function compare(comparison: Comparison): Promise<readonly Measured[]> {
  const { bar, scale = 1, note } = comparison
  const racers: Racer<Contestant['name']>[] = []
  for (const contestant of entered([echelon, bare, peer])) {
    if (comparison.warm !== undefined) await warmUp(contestant, comparison.warm)
    racers.push({ name: contestant.name, once: await checked(contestant, comparison) })
  }
  const times = await race(racers, comparison.race)
  const figure = (name: Contestant['name']): number => median(times[name]) / scale
  const has = (name: Contestant['name']): boolean => racers.some((racer) => racer.name === name)
  return [
    {
      bar,
      echelon: figure('echelon'),
      ...(has('bare') && { bare: figure('bare'), toBare: ratio(times.echelon, times.bare) }),
      ...(has('ai') && { ai: figure('ai'), toAi: ratio(times.echelon, times.ai) }),
      ...(note !== undefined && { note }),
    },
  ]
}

const WARM_MS = 500

async function warmUp(contestant: Contestant, setup: Comparison['setup']): Promise<void> {
  const runner = contestant.prepare(setup(contestant.name))
  const began = performance.now()
  while (performance.now() - began < WARM_MS) await runner.run('go')
}

/** Whole runs of one contestant to time, after one checked run. */
async function checked(
  contestant: Contestant,
  { setup: make, expected, how = 'run' }: Comparison,
): Promise<() => Promise<unknown>> {
  const setup = make(contestant.name)
  const runner = contestant.prepare(setup)
  const came: unknown = await runner[how]('go')
  const wanted = how === 'run' ? ANSWER : expected.deltas
  const { calls, messages } = setup.model.seen
  const found = `${String(came)}, ${calls} model calls, ${setup.tool.seen.calls} tool calls`
  const right = `${wanted}, ${expected.modelCalls} model calls, ${expected.toolCalls} tool calls`
  if (found !== right) throw new Error(`${contestant.name} came to ${found}; not to ${right}`)
  if (messages < (expected.messages ?? 0)) {
    throw new Error(`${contestant.name} sent ${messages} messages, not ${expected.messages}`)
  }
  return how === 'run' ? () => runner.run('go') : () => runner.stream('go')
}
