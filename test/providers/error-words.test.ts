import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APICallError } from '@ai-sdk/provider'
import type { NormalizeError } from '../../packages/echelon/src/core/model/model.ts'
import { PROBLEMS, type ProblemCode } from '../../packages/echelon/src/core/model/problem.ts'
import { normalizeAnthropicError } from '../../packages/echelon/src/providers/errors/anthropic.ts'
import { normalizerOf } from '../../packages/echelon/src/providers/errors/by-key.ts'
import { normalizeChatError } from '../../packages/echelon/src/providers/errors/chat.ts'
import { normalizeGoogleError } from '../../packages/echelon/src/providers/errors/google.ts'
import { normalizeOpenaiError } from '../../packages/echelon/src/providers/errors/openai.ts'
import { toProblem } from '../../packages/echelon/src/runtime/model/provider-problem.ts'
import { apiError } from '../../packages/echelon/src/testing/scripted-model.ts'

/** An error as the packages throw it: the body is `data` if they know its shape. */
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
  // Stream parts, as the package creates them.
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
  // A stream part, as the package creates it.
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
  // The message of a server that failed itself is not a cause.
  [failure(500, 'maximum context length'), 'unavailable', true],
  [failure(200, 'maximum context length'), 'unavailable', true],
]

const OPENAI: readonly Row[] = [
  [apiError(429, { code: 'insufficient_quota' }), 'quota', false],
  [apiError(429, { code: 'billing_hard_limit_reached' }), 'quota', false],
  [apiError(404, { code: 'model_not_found' }), 'not-found', false],
  [apiError(503, { code: 'model_not_found' }), 'not-found', false],
  [apiError(400, { code: 'context_length_exceeded' }), 'context-length', false],
  [apiError(401, { code: 'invalid_api_key' }), 'auth', false],
  [apiError(400, { code: 'content_filter' }), 'content-filter', false],
  [apiError(400, { code: 'content_policy_violation' }), 'content-filter', false],
  [apiError(429, { code: 'rate_limit_exceeded' }), 'rate-limit', true],
  // Possible contents of a stream's error part.
  [{ error: { message: 'no', type: 'insufficient_quota', code: null } }, 'quota', false],
  [{ message: 'slow down', type: 'tokens', code: 'rate_limit_exceeded' }, 'rate-limit', true],
  [{ message: 'it failed', type: 'server_error', param: null, code: null }, 'unavailable', true],
  [{ type: 'error', error: { type: 'overloaded_error', message: '' } }, 'unavailable', true],
  [
    {
      message: 'no',
      data: { type: 'response.failed', response: { error: { code: 'server_error' } } },
    },
    'unavailable',
    true,
  ],
  // Possible contents of a status 200 body that is not an answer.
  [
    Object.assign(apiError(200), { responseBody: '{"error":{"code":"insufficient_quota"}}' }),
    'quota',
    false,
  ],
]

const OPENAI_ALONE: readonly Row[] = [
  [apiError(400, { code: 'previous_response_not_found' }), 'not-found', false],
  // One of our providers called a server that cannot be reached.
  [apiError(404, { code: 'interface_switched' }), 'unavailable', true],
]

/** Errors that no provider interprets are left to the general rules, whichever is asked. */
const LEFT_OPEN: readonly Row[] = [
  [apiError(401), 'auth', false],
  [apiError(402), 'quota', false],
  [apiError(404), 'not-found', false],
  [apiError(408), 'timeout', true],
  [apiError(413), 'context-length', false],
  [apiError(422), 'invalid-request', false],
  [apiError(429), 'rate-limit', true],
  [apiError(500), 'unavailable', true],
  [apiError(undefined), 'unavailable', true],
  [apiError(418), 'unknown', false],
  // Not for the provider to interpret: the caller aborted it.
  [
    Object.assign(new Error('stop'), { name: 'AbortError', code: 'server_error' }),
    'aborted',
    false,
  ],
  [new TypeError('x is not a function'), 'unknown', false],
  [undefined, 'unknown', false],
  ['server_error', 'unknown', false],
]

const TABLES: readonly (readonly [NormalizeError, readonly Row[]])[] = [
  [normalizeOpenaiError, [...OPENAI, ...OPENAI_ALONE, ...LEFT_OPEN]],
  [normalizeAnthropicError, [...ANTHROPIC, ...LEFT_OPEN]],
  [normalizeGoogleError, [...GOOGLE, ...LEFT_OPEN]],
  [normalizeChatError, [...OPENAI, ...SERVERS_OF_OPEN_MODELS, ...LEFT_OPEN]],
]

test("[C-20] [DD-12] [C-5] each provider's errors become a message and a code of the closed list", () => {
  for (const [normalize, rows] of TABLES) {
    for (const [thrown, code, retryable] of rows) {
      const problem = toProblem(thrown, 1, normalize)
      assert.deepEqual([problem.code, problem.retryable], [code, retryable], problem.message)
      assert.ok(Object.hasOwn(PROBLEMS, problem.code))
      assert.notEqual(problem.message, '')
    }
  }
})

test('[C-20] the same error has the meaning of its own provider', () => {
  const daily = google(429, 'RESOURCE_EXHAUSTED', USED_UP, [limitOf('PerDay')])
  assert.equal(toProblem(daily, 1, normalizeGoogleError).code, 'quota')
  assert.equal(toProblem(daily, 1, normalizeAnthropicError).code, 'rate-limit')
  assert.equal(toProblem(daily, 1).code, 'rate-limit')
})

test('[C-20] a model without a provider is interpreted by its provider name', () => {
  assert.equal(normalizerOf('anthropic.messages'), normalizeAnthropicError)
  assert.equal(normalizerOf('google.generative-ai'), normalizeGoogleError)
  assert.equal(normalizerOf('openai.responses'), normalizeOpenaiError)
  for (const other of ['mistral.chat', 'toString', '']) {
    assert.equal(normalizerOf(other), normalizeChatError)
  }
})

test('[R4.3] a requested wait is read from the details if no header has it', () => {
  const waitIn = (details: readonly object[], headers = {}): number | undefined =>
    toProblem(
      Object.assign(google(429, 'RESOURCE_EXHAUSTED', USED_UP, details), {
        responseHeaders: headers,
      }),
      1,
      normalizeGoogleError,
    ).retryAfterMs
  assert.equal(waitIn([HELP, waitOf('22s')]), 22_000)
  assert.equal(waitIn([waitOf('0.5s')]), 500)
  assert.equal(waitIn([waitOf('22s')], { 'retry-after': '3' }), 3000)
  assert.equal(waitIn([waitOf('soon')]), undefined)
  assert.equal(waitIn([HELP]), undefined)
  const part = { type: 'RESOURCE_EXHAUSTED', statusCode: 429, data: { details: [waitOf('4s')] } }
  assert.equal(toProblem(part, 1, normalizeGoogleError).retryAfterMs, 4000)
})
