import type { Tool } from 'echelon/chat'
import type { StockSource } from './stock/source.ts'

export interface StandardToolsOptions {
  /** Source of closing prices; default the sample data, which has only AAPL. */
  readonly stock?: StockSource
}

/**
 * The built-in tools: calculator, calendar, data_fetch_stock, numeric_analysis, plotter.
 */
export async function standardTools(options: StandardToolsOptions = {}): Promise<readonly Tool[]> {
  const [
    { calculator },
    { calendar },
    { stockTool, dataFetchStock },
    { numericAnalysis },
    { plotter },
  ] = await Promise.all([
    import('./calculator.ts'),
    import('./calendar.ts'),
    import('./stock.ts'),
    import('./analysis.ts'),
    import('./plotter.ts'),
  ])
  const stock = options.stock === undefined ? dataFetchStock : stockTool(options.stock)
  return [calculator, calendar, stock, numericAnalysis, plotter]
}
