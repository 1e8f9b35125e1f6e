import { EchelonError, type JsonObject } from 'echelon/runtime'
import type { z } from 'zod'
import { HttpProblem, problemOf } from '../http/problem.ts'

/** The types of errors that OpenAI's clients know, by status. */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}

const typeOf = (status: number): string =>
  TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')

/** A problem in OpenAI's form. `param` is the field that it is about. */
export function openAiError(problem: HttpProblem): JsonObject {
  const { status, code, message } = problem
  const param = problem instanceof ParamProblem ? problem.param : null
  return { error: { message, type: typeOf(status), param, code } }
}

/** A refused field of a request. */
class ParamProblem extends HttpProblem {
  readonly param: string

  constructor(param: string, code: string, message: string) {
    super(400, code, message)
    this.param = param
  }
}

export const unusable = (param: string, message: string): HttpProblem =>
  new ParamProblem(param, 'invalid_value', message)

export const unsupported = (param: string, message: string): HttpProblem =>
  new ParamProblem(param, 'unsupported_parameter', message)

export const unknownResponse = (id: string): HttpProblem =>
  new ParamProblem(
    'previous_response_id',
    'previous_response_not_found',
    `there is no response ${id.slice(0, 100)} that can be continued`,
  )

export const noModel = (name: string): HttpProblem =>
  new HttpProblem(
    404,
    'model_not_found',
    `there is no model ${name.slice(0, 100)}; GET /v1/models lists them`,
  )

/**
 * Reads a body by its schema.
 * @throws HttpProblem 400 that names the field
 */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const param = (issue?.path ?? []).join('.') || 'body'
  throw unusable(
    param,
    `${param.slice(0, 200)} cannot be used: ${issue?.message ?? 'it is invalid'}`,
  )
}

/** A problem that a request caused, in the terms of its field: a schema of the client is input here. */
export function asProblem(error: unknown): HttpProblem {
  if (error instanceof EchelonError && error.code === 'INVALID_DEFINITION') {
    return new HttpProblem(400, 'invalid_value', error.message)
  }
  return problemOf(error)
}
