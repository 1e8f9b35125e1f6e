import {
  furtherCases,
  type Interval,
  isOn,
  type Side,
  type Verdict,
  verdictOf,
} from '../core/statistics/verdict.ts'

/** One threshold, the measured figure and whether it passes. */
export interface GateVerdict {
  /** The setting of the threshold, such as `min_success_rate`. */
  readonly gate: string
  /** Null if it could not be measured, which fails the gate. */
  readonly figure: number | null
  readonly threshold: number
  /** True if the figure is on the right side of the threshold. It decides the exit status. */
  readonly passed: boolean
  /**
   * Statistical verdict: PASS or FAIL if the whole 95 % interval of the figure is on one side of the threshold,
   * else INCONCLUSIVE.
   */
  readonly verdict: Verdict
  /** The 95 % interval; an end is null if unknown. */
  readonly low: number | null
  readonly high: number | null
  /** Approximate number of further cases that would decide if the figure stays; null if unknown. */
  readonly further: number | null
  /** One readable line: figure, threshold and meaning. */
  readonly message: string
}

/** A figure, its interval, and how the interval narrows. */
export interface GateFigure extends Interval {
  readonly value: number | null
  /** Cases that it rests on. */
  readonly n: number
  /** The interval with so many cases; absent if that is not known. */
  readonly withCases?: (n: number) => Interval
}

interface Wording {
  readonly what: string
  readonly show: (figure: number) => string
}

/** A figure with a minimum. */
export const least = (
  gate: string,
  figure: GateFigure,
  threshold: number,
  wording: Wording,
): GateVerdict => verdict({ gate, figure, threshold, ...wording }, 'at least')

/** A figure with a maximum. */
export const most = (
  gate: string,
  figure: GateFigure,
  threshold: number,
  wording: Wording,
): GateVerdict => verdict({ gate, figure, threshold, ...wording }, 'at most')

/** A verdict that does not depend on the number of cases. */
export const fact = (
  given: Pick<GateVerdict, 'gate' | 'figure' | 'threshold' | 'passed' | 'message'>,
): GateVerdict => ({ ...given, ...UNKNOWN, verdict: given.passed ? 'PASS' : 'FAIL' })

/** A verdict on something that was not measured. */
export const open = (
  given: Pick<GateVerdict, 'gate' | 'threshold' | 'passed' | 'message'>,
): GateVerdict => ({ ...given, ...UNKNOWN, figure: null, verdict: 'INCONCLUSIVE' })

const UNKNOWN = { low: null, high: null, further: null }

interface Compared extends Wording {
  readonly gate: string
  readonly figure: GateFigure
  readonly threshold: number
}

const WANTED = { 'at least': 'required', 'at most': 'allowed' } as const

function verdict({ gate, figure, threshold, what, show }: Compared, side: Side): GateVerdict {
  const { value, low, high, n, withCases } = figure
  if (value === null) {
    const message = `${what} could not be measured; it must be ${side} ${show(threshold)}`
    return open({ gate, threshold, passed: false, message })
  }
  const passed = isOn(side, value, threshold)
  const shown = verdictOf({ low, high }, side, threshold)
  const decided = passed ? 'PASS' : 'FAIL'
  const further =
    shown === 'INCONCLUSIVE' && withCases !== undefined
      ? furtherCases(n, (more) => verdictOf(withCases(more), side, threshold) === decided)
      : undefined
  return {
    gate,
    figure: value,
    threshold,
    passed,
    verdict: shown,
    low,
    high,
    further: further ?? null,
    message: `${what}: ${show(value)}, ${side} ${show(threshold)} ${WANTED[side]}`,
  }
}

/** With enough decimals to show on which side of a threshold it is. */
export const percent = (part: number): string => `${Number((part * 100).toFixed(2))} %`
export const seconds = (time: number): string => `${Number(time.toFixed(3))} s`
export const dollars = (amount: number): string => `$${Number(amount.toPrecision(3))}`
