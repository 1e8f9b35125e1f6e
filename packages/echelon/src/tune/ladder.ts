import { bootstrap } from '../core/statistics/bootstrap.ts'
import { orderFigures } from '../core/statistics/escalation-order.ts'
import type { Candidate } from './choose.ts'
import {
  countOf,
  fitGate,
  type Gate,
  openAnswers,
  type Score,
  scoreBy,
  scoreOutOfFold,
} from './gate.ts'
import { figuresOf, type Policy } from './policy.ts'
import type { LadderReport } from './report.ts'
import type { TunedTask } from './tuned-task.ts'

/** Thresholds of a ladder besides 0 and 1: quantiles of the scores, so that each escalates some more. */
const STEPS = 40

/** The recorded tasks, divided into the half to fit on and the half to report on. */
export interface Halves {
  readonly fit: readonly TunedTask[]
  readonly test: readonly TunedTask[]
}

export interface LadderOptions {
  readonly models: readonly string[]
  readonly date: string
  readonly seed: number
}

/** A ladder with its gate, and its policies on the half that was fitted on. */
export interface TunedLadder {
  readonly rungs: readonly number[]
  readonly gate: Gate | undefined
  readonly candidates: readonly Candidate[]
  readonly report: LadderReport
  /** Its policies on the other half. */
  readonly tested: readonly Candidate[]
}

const ACCEPT: Score = () => 1

/** Fits the gate of a ladder on one half, and evaluates its thresholds on both. */
export function tuneLadder(
  halves: Halves,
  rungs: readonly number[],
  options: LadderOptions,
): TunedLadder {
  const gated = rungs.slice(0, -1)
  const gate = gated.length === 0 ? undefined : fitGate(halves.fit, gated, options)
  const thresholds = gated.length === 0 ? [0] : thresholdsOf(gate)
  const policies = thresholds.map((threshold): Policy => ({ rungs, threshold }))
  const [own, fresh] = gate === undefined ? [ACCEPT, ACCEPT] : [scoreOutOfFold(gate), scoreBy(gate)]
  const tested = policies.map((policy) => ({
    ...policy,
    figures: figuresOf(halves.test, policy, fresh),
  }))
  return {
    rungs,
    gate,
    candidates: policies.map((policy) => ({
      ...policy,
      figures: figuresOf(halves.fit, policy, own),
    })),
    tested,
    report: {
      models: rungs.map((rung) => options.models[rung] ?? ''),
      gate: gate?.model.trainedOn ?? null,
      too_few:
        gated.length > 0 && gate === undefined ? countOf(openAnswers(halves.fit, gated)) : null,
      order: gate === undefined ? null : orderOf(halves.test, rungs, fresh, options.seed),
      curve: tested.map(({ threshold, figures }) => ({
        threshold: gated.length === 0 ? null : threshold,
        figures,
      })),
    },
  }
}

function thresholdsOf(gate: Gate | undefined): readonly number[] {
  if (gate === undefined) return []
  const scores = [...gate.scores.values()].toSorted((a, b) => a - b)
  const quantiles = Array.from({ length: STEPS }, (_, step) => {
    const score = scores[Math.floor(((step + 0.5) / STEPS) * scores.length)] ?? 0
    return Number(score.toFixed(4))
  })
  return withMiddles([...new Set([0, ...quantiles, 1])])
}

/** A gap that wide gets a threshold in its middle, away from the scores on both sides. */
const WIDE_GAP = 0.1

const withMiddles = (thresholds: readonly number[]): readonly number[] =>
  thresholds.flatMap((one, at) => {
    const next = thresholds[at + 1] ?? one
    return next - one > WIDE_GAP ? [one, Number(((one + next) / 2).toFixed(4))] : [one]
  })

/** Most tasks to draw in all bootstrap draws together, which bounds the time. */
const MOST_DRAWN = 4_000_000

/** Evaluates the score as an order of escalation, for a ladder of two models. */
function orderOf(
  tasks: readonly TunedTask[],
  rungs: readonly number[],
  score: Score,
  seed: number,
): LadderReport['order'] {
  const [first = 0, last = 0] = rungs
  if (rungs.length !== 2) return null
  const groups = [...Map.groupBy(tasks, ({ group }) => group).values()].map((group) =>
    group.flatMap(({ answers }) => {
      const [small, big] = [answers[first], answers[last]]
      return small === undefined || big === undefined
        ? []
        : [{ score: score(small), smallRight: small.isRight, bigRight: big.isRight }]
    }),
  )
  const figures = orderFigures(groups.flat())
  if (figures === undefined) return null
  const repeats = Math.max(100, Math.min(1_000, Math.floor(MOST_DRAWN / tasks.length)))
  const spread = bootstrap(
    groups.length,
    (drawn) => ({ ...(orderFigures(drawn.flatMap((at) => groups[at] ?? [])) ?? NO_GAP) }),
    { seed, repeats },
  )
  const withError = (name: keyof typeof NO_GAP) => ({
    value: figures[name],
    error: spread.get(name)?.error ?? 0,
  })
  return { apgr: withError('apgr'), cpt50: withError('cpt50'), cpt80: withError('cpt80') }
}

/** The figures of a draw in which the big model is not better. */
const NO_GAP = { apgr: Number.NaN, cpt50: Number.NaN, cpt80: Number.NaN }
