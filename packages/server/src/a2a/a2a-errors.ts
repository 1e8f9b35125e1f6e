import {
  A2AError,
  ContentTypeNotSupportedError,
  JsonRpcTransportError,
  restStatusFor,
  TaskNotFoundError,
  toJsonRpcError,
  toRestErrorBody,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { RPC_CODES } from 'echelon/decide'
import { EchelonError, isJson, isJsonObject, type JsonObject } from 'echelon/runtime'
import { type HttpProblem, problemOf } from '../http/problem.ts'

/** Our own codes for problems of the server, within the range that A2A leaves free. */
const PROBLEM_CODES: Readonly<Record<string, number>> = {
  too_many_runs: -32080,
  budget_spent: -32081,
  rate_limited: -32082,
  stopping: -32083,
  too_slow: -32084,
  unauthorized: -32085,
  internal_error: -32603,
}

/** Of all others, such as an address that may not be reached. */
const INVALID_PARAMS = -32602
const OTHER_PROBLEM = -32099

/** An error for which A2A has no code. */
class OwnA2aError extends JsonRpcTransportError {
  /** The HTTP status, where the transport shows one. */
  readonly status: number

  constructor(code: number, message: string, status: number) {
    super({ jsonrpc: '2.0', id: null, error: { code, message } })
    this.status = status
  }
}

/** Any error as one of A2A, fit to be shown. Faults of the server are passed to `onFault`. */
export function a2aErrorOf(error: unknown, onFault: (error: unknown) => void): A2AError {
  if (error instanceof A2AError) return error
  const problem = problemOf(error)
  if (problem.status >= 500 && problem.code === 'internal_error') onFault(error)
  if (error instanceof EchelonError) return echelonError(error, problem)
  if (problem.status === 404) return new TaskNotFoundError(problem.message)
  const code =
    PROBLEM_CODES[problem.code] ?? (problem.status === 400 ? INVALID_PARAMS : OTHER_PROBLEM)
  return new OwnA2aError(code, problem.message, problem.status)
}

/** The errors of agents have the codes of the decision agent's tasks. */
function echelonError({ code: name }: EchelonError, problem: HttpProblem): A2AError {
  const code = RPC_CODES[name]
  if (problem.code === 'internal_error') return new OwnA2aError(code, problem.message, 500)
  if (name === 'UNKNOWN_RUN') return new TaskNotFoundError(problem.message)
  if (name === 'UNKNOWN_TOOL') return new UnsupportedOperationError(problem.message)
  if (name === 'INVALID_INPUT') return new ContentTypeNotSupportedError(problem.message)
  return new OwnA2aError(code, problem.message, problem.status)
}

export const httpStatusOf = (error: A2AError): number =>
  error instanceof OwnA2aError ? error.status : restStatusFor(error)

/** A refusal that comes before the protocol, such as of a request without a token, in the form of its transport. */
export function a2aRefusal(problem: HttpProblem, path: string): JsonObject | undefined {
  const [, root, , ...rest] = path.split('/')
  if (root !== 'a2a') return undefined
  const error = a2aErrorOf(problem, () => undefined)
  const told: unknown =
    rest.length === 0
      ? { jsonrpc: '2.0', id: null, error: toJsonRpcError(error) }
      : toRestErrorBody(error, problem.status)
  return isJson(told) && isJsonObject(told) ? told : undefined
}
