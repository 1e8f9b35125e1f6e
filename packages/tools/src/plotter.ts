import { z } from 'zod'
import type { Schema } from 'echelon/internal/schema'
import { defineTool } from 'echelon/internal/tool'
import type { Tool } from 'echelon/chat'
import { workerModule } from 'echelon/internal/platform'
import { isolate, TURN_AND_WORK_MS } from 'echelon/internal/isolate'
import type { Plot, PlotPoint } from './plotter/plot.ts'

/** Each list at most 5,000 long. */
export interface PlotterInput {
  /** Days, ascending. */
  readonly series: readonly PlotPoint[]
  /** As long as `series`; null where there is no average. */
  readonly ma7: readonly (number | null)[]
  /** Heading, such as "AAPL"; by default it names what is drawn. */
  readonly title?: string | null | undefined
}

const MAX_DAYS = 5_000
/** The same limit as in `numeric_analysis`. */
const MAX_PRICE = 1e9

const price = z.number().min(-MAX_PRICE).max(MAX_PRICE)

const input: Schema<PlotterInput> = z
  .strictObject({
    series: z
      .array(z.strictObject({ date: z.iso.date(), close: price }))
      .min(1)
      .max(MAX_DAYS)
      .describe('Trading days, ascending, as data_fetch_stock returns them'),
    ma7: z
      .array(price.nullable())
      .max(MAX_DAYS)
      .describe('The 7-day moving average, as numeric_analysis returns it'),
    title: z.string().max(120).nullish().describe('Heading, such as the ticker'),
  })
  .superRefine(({ series, ma7 }, context) => {
    const refuse = (message: string, ...path: (string | number)[]): void =>
      context.addIssue({ code: 'custom', path, message })
    if (ma7.length !== series.length) {
      refuse(`must have ${series.length} values, as many as series, and has ${ma7.length}`, 'ma7')
    }
    const late = series.findIndex(({ date }, index) => date <= (series[index - 1]?.date ?? ''))
    if (late !== -1) refuse('dates must ascend, each once', 'series', late, 'date')
  })

export interface PlotterOptions {
  /** Currency of the prices; default "US dollars". */
  readonly unit?: string
}

/**
 * `plotter(series, ma7)`: draws the closing price and its 7-day moving average, as `{ image_path,
 * name, kind: 'file' }`. The image is a PNG, about 1,820 by 1,130 pixels, stored by
 * `context.artifacts`. Its file name is made of the dates and never of the title. Needs the
 * packages vega, vega-lite, @resvg/resvg-js and @expo-google-fonts/inter. Fails with INVALID_ARGS
 * when `ma7` is not as long as `series` or the dates do not ascend, with TOOL_ERROR when the plot
 * cannot be drawn within 5 s and 256 MB, and as the artifact store does.
 */
export function plotTool({ unit = 'US dollars' }: PlotterOptions = {}): Tool<PlotterInput> {
  return defineTool({
    name: 'plotter',
    description:
      'Draws closing prices and their 7-day moving average as a PNG file and returns its path.',
    input,
    timeoutMs: TURN_AND_WORK_MS,
    run: async ({ series, ma7, title = null }, { artifacts, signal }) => {
      const image = await drawing.run({ series, ma7, title, unit }, signal)
      const { name, path } = await artifacts.write(fileName(series), image)
      return { image_path: path, name, kind: 'file' }
    },
  })
}

/** The plotter for prices in US dollars. */
export const plotter: Tool<PlotterInput> = plotTool()

/** Shared by all plotters: the worker holds vega and the font, and each plot has its own unit. */
const drawing = isolate<Plot, Uint8Array>({
  name: 'plotter',
  module: workerModule(import.meta.url, './plotter/draw.ts'),
  memoryMb: 256,
  timeoutMs: 5_000,
  addons: true,
  // Vega extends built-in objects.
  frozen: false,
})

const fileName = (series: PlotterInput['series']): string =>
  `closing-price_${series.at(0)?.date}_${series.at(-1)?.date}.png`
