import { optionalPackage } from './core/optional-package.ts'
import type { Tool } from './core/tool.ts'
import { systemClock } from './host/clock.ts'
import type { McpConnection } from './tools/mcp/connect.ts'
import type { McpOptions } from './tools/mcp/options.ts'
import type { McpServer } from './tools/mcp/server.ts'
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
  type JsonSchemaToolSpec,
  type ToolSpec,
} from './core/tool.ts'
export {
  type OpenApiOptions,
  openApiTools,
  type OperationFacts,
} from './tools/openapi/openapi-tools.ts'
export type { Wall, WallMode } from './host/wall/wall.ts'
export { setWall, wallHere } from './host/wall/wall-here.ts'
export type { McpAuth, McpAuthStore } from './tools/mcp/auth.ts'
export { authFile } from './tools/mcp/auth-file.ts'
export type { McpConnection, McpPrompt, McpResource } from './tools/mcp/connect.ts'
export type { McpOptions, McpState, McpToolRule, McpTrust } from './tools/mcp/options.ts'
export type { McpAddress, McpProgram, McpServer } from './tools/mcp/server.ts'
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

/**
 * Connects to an MCP server, a program or an address, and has its tools. What they do not declare
 * to be read-only asks the user before each call, unless `trust` or `rules` say otherwise: what a
 * server says about its tools nobody has checked.
 *
 * A lost connection is made anew, within bounds; a call meanwhile waits a little, then fails. Close
 * the connection (`await using` does): a program that it runs keeps this one alive.
 * @throws EchelonError SERVER_UNREACHABLE, INVALID_DEFINITION, or MISSING_PACKAGE with a command to run
 */
export async function connectMcp(
  server: McpServer,
  options: McpOptions = {},
): Promise<McpConnection> {
  const { connect } = await import('./tools/mcp/connect.ts')
  return connect(server, { clock: systemClock, ...options })
}
