export { type OpenApiOptions, openApiTools, type OperationFacts } from './openapi/openapi-tools.ts'
export { standardTools, type StandardToolsOptions } from './standard-tools.ts'
export { type HttpCsvOptions, httpCsvSource } from './stock/http-csv.ts'
export type { StockSource } from './stock/source.ts'
