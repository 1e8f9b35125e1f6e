import { optionalPackage } from './core/optional-package.ts'
import type { Tool } from './core/tool.ts'
import { TOOL_PACKAGES } from './tools/packages.ts'
import type { StockSource } from './tools/stock/source.ts'

export {
  defineTool,
  type Tool,
  type ToolCall,
  type ToolContext,
  ToolError,
  type ToolErrorCode,
  type ToolOutcome,
  type ToolSpec,
} from './core/tool.ts'
export {
  type OpenApiOptions,
  openApiTools,
  type OperationFacts,
} from './tools/openapi/openapi-tools.ts'
export { type HttpCsvOptions, httpCsvSource } from './tools/stock/http-csv.ts'
export type { StockSource } from './tools/stock/source.ts'

export interface StandardToolsOptions {
  /** Where closing prices come from; default the sample data, which hold AAPL alone. */
  readonly stock?: StockSource
}

/**
 * The built-in tools: calculator, calendar, data_fetch_stock, numeric_analysis, plotter. Their
 * packages are optional peers: a tool whose package is missing says so when it is called.
 * @throws EchelonError MISSING_PACKAGE when not even their schemas can be written, with a command that
 * installs what all of them need
 */
export async function standardTools(options: StandardToolsOptions = {}): Promise<readonly Tool[]> {
  const [
    { calculator },
    { calendar },
    { stockTool, dataFetchStock },
    { numericAnalysis },
    { plotter },
  ] = await optionalPackage(TOOL_PACKAGES, () =>
    Promise.all([
      import('./tools/calculator.ts'),
      import('./tools/calendar.ts'),
      import('./tools/stock.ts'),
      import('./tools/analysis.ts'),
      import('./tools/plotter.ts'),
    ]),
  )
  const stock = options.stock === undefined ? dataFetchStock : stockTool(options.stock)
  return [calculator, calendar, stock, numericAnalysis, plotter]
}
