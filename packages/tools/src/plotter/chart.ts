import type { TopLevelSpec } from 'vega-lite'
import type { Plot, PlotPoint } from './plot.ts'
import { THEME } from './theme.ts'
import { daysCovered, hasAverage, heading } from './wording.ts'

/** Colors of the two lines, distinct in any color vision (Okabe and Ito, 2008). */
export const COLORS = { close: '#0072B2', average: '#D55E00' } as const

const NAMES = { close: 'Close', average: '7-day moving average' } as const
/** Up to this many days each close has a dot, which distinguishes the lines in print. */
const DOTTED_DAYS = 60
/** Up to this many days each day has a tick. */
const TICKED_DAYS = 8
/** Approximate number of ticks on an axis. */
const TICKS = 7

/** The chart as a Vega-Lite specification. */
export function chart(plot: Plot): TopLevelSpec {
  const { series, ma7 } = plot
  const few = series.length <= DOTTED_DAYS
  const close = line(plot, { field: 'close', width: few ? 1.8 : 1.3, dots: few })
  const dots = hasLoneAverage(ma7)
  const average = line(plot, { field: 'average', width: few ? 3 : 1.9, dots })
  return {
    width: 800,
    height: 400,
    padding: { left: 20, top: 18, right: 28, bottom: 16 },
    background: '#ffffff',
    title: { text: heading(plot), subtitle: daysCovered(series) },
    data: { values: series.map((day, index) => ({ ...day, average: ma7[index] ?? null })) },
    encoding: { x: dates(series), color: legend(plot) },
    layer: hasAverage(plot) ? [close, average] : [close],
    config: THEME,
  }
}

type Layer = Extract<TopLevelSpec, { layer: unknown }>['layer'][number]

interface LineStyle {
  readonly field: keyof typeof COLORS
  readonly width: number
  readonly dots: boolean
}

const line = (plot: Plot, { field, width, dots }: LineStyle): Layer => ({
  mark: {
    type: 'line',
    strokeWidth: width,
    strokeCap: 'round',
    strokeJoin: 'round',
    point: dots && { size: 32, filled: true, opacity: 1 },
  },
  encoding: {
    color: { datum: NAMES[field] },
    y: {
      field,
      type: 'quantitative',
      scale: { zero: false, nice: TICKS, ...roomForFlatLine(plot) },
      axis: { title: `Price (${plot.unit})`, tickCount: TICKS },
    },
  },
})

/** Whether some mean has no neighbor, so that it needs a dot to be visible. */
const hasLoneAverage = (ma7: Plot['ma7']): boolean =>
  ma7.some(
    (mean, index) =>
      mean !== null && (ma7[index - 1] ?? null) === null && (ma7[index + 1] ?? null) === null,
  )

/** The price axis of a constant price: one percent to either side. */
function roomForFlatLine({ series, ma7 }: Plot): { domain?: [number, number] } {
  const [price, ...others] = new Set([...series.map(({ close }) => close), ...ma7])
  if (typeof price !== 'number' || others.some((other) => other !== null)) return {}
  const margin = Math.abs(price) / 100 || 1
  return { domain: [price - margin, price + margin] }
}

/** Removes the zero that Vega puts before days of the month. */
const UNPADDED = "replace(datum.label, / 0/, ' ')"

function dates(series: readonly PlotPoint[]): object {
  const ticks = series.length > TICKED_DAYS ? { tickCount: TICKS } : tickPerDay(series)
  return {
    field: 'date',
    type: 'temporal',
    scale: { type: 'utc' },
    axis: { title: 'Date', labelExpr: UNPADDED, ...ticks },
  }
}

function tickPerDay(series: readonly PlotPoint[]): object {
  const values = series.map(({ date }) => date)
  const oneYear = new Set(values.map((date) => date.slice(0, 4))).size === 1
  return { values, format: oneYear ? '%b %d' : '%b %d, %Y' }
}

function legend(plot: Plot): object {
  const lines = hasAverage(plot) ? (['close', 'average'] as const) : (['close'] as const)
  return {
    type: 'nominal',
    scale: { domain: lines.map((one) => NAMES[one]), range: lines.map((one) => COLORS[one]) },
    legend: { title: null },
  }
}
