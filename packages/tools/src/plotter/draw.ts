import { Resvg } from '@resvg/resvg-js'
import { Error as ERRORS_ONLY, logger, parse, View } from 'vega'
import { compile } from 'vega-lite'
import { ToolError } from 'echelon/internal/tool'
import { chart } from './chart.ts'
import { interFiles, readableFont } from './font.ts'
import type { Plot } from './plot.ts'

/** Pixels per unit of the chart, for dense screens. */
const SCALE = 2

const font = readableFont(interFiles())

/** Turns Vega's error logs into errors; Vega itself would continue without the failed part. */
const strict = logger(ERRORS_ONLY, 'error', (_method, _level, reasons) => {
  throw new ToolError('TOOL_ERROR', `the plot cannot be drawn: ${reasons.join(' ')}`)
})

/**
 * Draws a plot as PNG. Runs in an isolate; loads vega, vega-lite, resvg and the font.
 * @throws ToolError TOOL_ERROR when it cannot be drawn, or only without its text
 */
export default async function draw(plot: Plot): Promise<Uint8Array> {
  const { spec } = compile(chart(plot), { logger: strict })
  const view = new View(parse(spec), { renderer: 'none', logger: strict })
  const svg = await view.toSVG()
  view.finalize()
  return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: SCALE } }).render().asPng()
}
