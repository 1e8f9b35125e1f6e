/** One threshold, the figure held to it, and whether it holds. */
export interface GateVerdict {
  /** The setting that sets it, such as `min_success_rate`. */
  readonly gate: string
  /** Null when it could not be measured, which passes no gate. */
  readonly figure: number | null
  readonly threshold: number
  readonly passed: boolean
  /** One line for people: figure, threshold and what it means. */
  readonly message: string
}

interface Wording {
  readonly what: string
  readonly show: (figure: number) => string
}

/** A figure that may not be below its threshold. */
export const least = (
  gate: string,
  figure: number | null,
  threshold: number,
  wording: Wording,
): GateVerdict => verdict({ gate, figure, threshold, ...wording }, ['at least', 'below'])

/** A figure that may not be above its threshold. */
export const most = (
  gate: string,
  figure: number | null,
  threshold: number,
  wording: Wording,
): GateVerdict => verdict({ gate, figure, threshold, ...wording }, ['at most', 'above'])

type Compared = Pick<GateVerdict, 'gate' | 'figure' | 'threshold'> & Wording

function verdict(
  { gate, figure, threshold, what, show }: Compared,
  [holds, fails]: readonly ['at least', 'below'] | readonly ['at most', 'above'],
): GateVerdict {
  if (figure === null) {
    const message = `${what} could not be measured; it must be ${holds} ${show(threshold)}`
    return { gate, figure, threshold, passed: false, message }
  }
  // A mean of sums is off in its last digits, and a figure at its threshold holds.
  const exact = Number(figure.toPrecision(12))
  const passed = holds === 'at least' ? exact >= threshold : exact <= threshold
  const message = `${what} ${show(figure)} is ${passed ? holds : fails} ${show(threshold)}`
  return { gate, figure, threshold, passed, message }
}

/** As many places as it takes to see on which side of a threshold it is. */
export const percent = (part: number): string => `${Number((part * 100).toFixed(2))} %`
export const seconds = (time: number): string => `${Number(time.toFixed(3))} s`
export const dollars = (amount: number): string => `$${Number(amount.toPrecision(3))}`
