import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import type { ProblemCode } from '../core/problem.ts'
import { toProblem } from './provider-problem.ts'

/** An error as the packages throw it: the body as `data` where they know its shape. */
const failure = (statusCode: number, message: string, error?: object): APICallError =>
  new APICallError({
    message,
    url: 'http://scripted.invalid',
    requestBodyValues: {},
    statusCode,
    responseHeaders: {},
    ...(error === undefined ? {} : { data: { error: { message, ...error } } }),
  })

const anthropic = (status: number, type: string, message = type): APICallError =>
  failure(status, message, { type })

const google = (
  code: number,
  status: string,
  message: string,
  details?: readonly object[],
): APICallError =>
  failure(code, message, { code, status, ...(details === undefined ? {} : { details }) })

const limitOf = (period: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId: `GenerateRequests${period}PerProjectPerModel-FreeTier` }],
})
const waitOf = (retryDelay: string): object => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay,
})
const HELP = { '@type': 'type.googleapis.com/google.rpc.Help', links: [] }
const USED_UP = 'You exceeded your current quota, please check your plan and billing details.'

type Row = readonly [thrown: unknown, code: ProblemCode, retryable: boolean]

const ANTHROPIC: readonly Row[] = [
  [anthropic(529, 'overloaded_error'), 'unavailable', true],
  [anthropic(500, 'api_error'), 'unavailable', true],
  [anthropic(504, 'timeout_error'), 'timeout', true],
  [anthropic(429, 'rate_limit_error'), 'rate-limit', true],
  [anthropic(402, 'billing_error'), 'quota', false],
  [anthropic(401, 'authentication_error'), 'auth', false],
  [anthropic(403, 'permission_error'), 'auth', false],
  [anthropic(404, 'not_found_error'), 'not-found', false],
  [anthropic(413, 'request_too_large'), 'context-length', false],
  [anthropic(400, 'invalid_request_error'), 'invalid-request', false],
  [
    anthropic(400, 'invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'),
    'context-length',
    false,
  ],
  [
    anthropic(
      400,
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 199000 + 4000 > 200000',
    ),
    'context-length',
    false,
  ],
  [
    anthropic(400, 'invalid_request_error', 'Your credit balance is too low to access the API.'),
    'quota',
    false,
  ],
  // Parts of a stream, as the package makes them.
  [{ message: 'busy', type: 'overloaded_error', statusCode: 529 }, 'unavailable', true],
  [{ message: 'pay', type: 'billing_error', statusCode: 400 }, 'quota', false],
]

const GOOGLE: readonly Row[] = [
  [google(429, 'RESOURCE_EXHAUSTED', USED_UP, [limitOf('PerMinute'), HELP]), 'rate-limit', true],
  [google(429, 'RESOURCE_EXHAUSTED', USED_UP), 'rate-limit', true],
  [google(429, 'RESOURCE_EXHAUSTED', USED_UP, [HELP, limitOf('PerDay')]), 'quota', false],
  [google(429, 'RESOURCE_EXHAUSTED', USED_UP, [limitOf('PerDay'), waitOf('36s')]), 'quota', false],
  [google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'), 'quota', false],
  [google(503, 'UNAVAILABLE', 'The model is overloaded.'), 'unavailable', true],
  [google(500, 'INTERNAL', 'An internal error has occurred.'), 'unavailable', true],
  [google(403, 'PERMISSION_DENIED', 'no'), 'auth', false],
  [google(404, 'NOT_FOUND', 'models/x is not found'), 'not-found', false],
  [google(400, 'INVALID_ARGUMENT', 'no'), 'invalid-request', false],
  [google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid one.'), 'auth', false],
  [
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).',
    ),
    'context-length',
    false,
  ],
  // A part of a stream, as the package makes it.
  [
    {
      message: USED_UP,
      type: 'RESOURCE_EXHAUSTED',
      code: 429,
      statusCode: 429,
      data: { code: 429, message: USED_UP, details: [limitOf('PerDay')] },
    },
    'quota',
    false,
  ],
]

const SERVERS_OF_OPEN_MODELS: readonly Row[] = [
  [failure(400, "This model's maximum context length is 4096 tokens."), 'context-length', false],
  [
    failure(400, 'request (5000 tokens) exceeds the available context size (4096 tokens)'),
    'context-length',
    false,
  ],
  [
    failure(400, "This model's maximum prompt length is 131072 but the request contains more."),
    'context-length',
    false,
  ],
  // What a server says that failed itself is no cause.
  [failure(500, 'maximum context length'), 'unavailable', true],
  [failure(200, 'maximum context length'), 'unavailable', true],
]

test('[DD-12] what a provider says in words of its own is a problem of the closed list', () => {
  for (const [thrown, code, retryable] of [...ANTHROPIC, ...GOOGLE, ...SERVERS_OF_OPEN_MODELS]) {
    const problem = toProblem(thrown, 1)
    assert.deepEqual([problem.code, problem.retryable], [code, retryable], problem.message)
  }
})

test('[R4.3] a wish to wait is read from the details, where no header says it', () => {
  const waitIn = (details: readonly object[], headers = {}): number | undefined =>
    toProblem(
      Object.assign(google(429, 'RESOURCE_EXHAUSTED', USED_UP, details), {
        responseHeaders: headers,
      }),
      1,
    ).retryAfterMs
  assert.equal(waitIn([HELP, waitOf('22s')]), 22_000)
  assert.equal(waitIn([waitOf('0.5s')]), 500)
  assert.equal(waitIn([waitOf('22s')], { 'retry-after': '3' }), 3000)
  assert.equal(waitIn([waitOf('soon')]), undefined)
  assert.equal(waitIn([HELP]), undefined)
  const part = { type: 'RESOURCE_EXHAUSTED', statusCode: 429, data: { details: [waitOf('4s')] } }
  assert.equal(toProblem(part, 1).retryAfterMs, 4000)
})
