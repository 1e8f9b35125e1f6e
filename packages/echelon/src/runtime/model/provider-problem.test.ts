import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NormalizeError } from '../../core/model/model.ts'
import { PROBLEMS, type ProblemCode } from '../../core/model/problem.ts'
import { apiError } from '../../testing/scripted-model.ts'
import { CutAnswer } from './model-answer.ts'
import { toProblem, wasNeverSent } from './provider-problem.ts'

type Row = readonly [thrown: unknown, code: ProblemCode, retryable: boolean]

const named = (name: string, more: object = {}): Error =>
  Object.assign(new Error(`this is ${name}`), { name }, more)

const TABLE: readonly Row[] = [
  // Not retried.
  [apiError(400), 'invalid-request', false],
  [apiError(401), 'auth', false],
  [apiError(402), 'quota', false],
  [apiError(403), 'auth', false],
  [apiError(404), 'not-found', false],
  [apiError(413), 'context-length', false],
  [apiError(422), 'invalid-request', false],
  [apiError(418), 'unknown', false],
  // Retried.
  [apiError(408), 'timeout', true],
  [apiError(409), 'unavailable', true],
  [apiError(429), 'rate-limit', true],
  [apiError(500), 'unavailable', true],
  [apiError(502), 'unavailable', true],
  [apiError(503), 'unavailable', true],
  [apiError(529), 'unavailable', true],
  [apiError(undefined), 'unavailable', true],
  [apiError(200, { isRetryable: true }), 'unavailable', true],
  [new CutAnswer('the stream ended'), 'unavailable', true],
  // The connection broke, in the operating system's words.
  [
    named('TypeError', { message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } }),
    'unavailable',
    true,
  ],
  [
    named('TypeError', { message: 'fetch failed', cause: { code: 'ECONNREFUSED' } }),
    'unavailable',
    true,
  ],
  [named('Error', { code: 'ECONNRESET' }), 'unavailable', true],
  [named('TimeoutError'), 'timeout', true],
  // A program error is not a network error.
  [new TypeError('x is not a function'), 'unknown', false],
  [named('AbortError'), 'aborted', false],
  // A package that finds no key in its own environment variable.
  [named('AI_LoadAPIKeyError'), 'auth', false],
  // A body with status 200 that is not an answer.
  [Object.assign(apiError(200), { responseBody: '{"error":' }), 'unavailable', true],
  // A stream without an end, as the AI SDK reports it.
  [named('AI_InvalidResponseDataError'), 'unavailable', true],
  [named('AI_JSONParseError'), 'unavailable', true],
  ['only text', 'unknown', false],
  [undefined, 'unknown', false],
  [null, 'unknown', false],
  [{}, 'unknown', false],
  [{ isRetryable: true }, 'unknown', true],
]

test("[DD-12] [R21.1] a provider's error becomes a problem of a closed list, retryable if that may help", () => {
  for (const [thrown, code, retryable] of TABLE) {
    const problem = toProblem(thrown, 2)
    const said =
      thrown instanceof Error ? `${thrown.name} ${thrown.message}` : JSON.stringify(thrown)
    assert.deepEqual([problem.code, problem.retryable], [code, retryable], said)
    assert.equal(problem.attempts, 2)
    assert.ok(problem.message.length > 0)
    assert.ok(Object.hasOwn(PROBLEMS, problem.code))
  }
})

test('the message is the provider’s own', () => {
  assert.equal(toProblem(apiError(400, { message: 'bad model' }), 1).message, 'bad model')
  const pays: NormalizeError = () => ({ message: 'pay first', type: 'quota' })
  assert.equal(toProblem(apiError(400, { message: 'bad model' }), 1, pays).message, 'pay first')
  assert.equal(toProblem('only text', 1).message, 'only text')
  assert.equal(toProblem({}, 1).message, 'the provider gave no reason')
  assert.equal(toProblem({ message: '' }, 1).message, 'the provider gave no reason')
  const unread = { statusCode: 400, message: 'Bad Request' }
  for (const responseBody of ['{"code":"no","error":"bad model"}', '{"message":"bad model"}']) {
    assert.equal(toProblem({ ...unread, responseBody }, 1).message, 'bad model')
  }
  assert.equal(toProblem({ ...unread, responseBody: '<html>' }, 1).message, 'Bad Request')
})

test('a server that cannot be reached is named by its address without secrets', () => {
  const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  const url = 'http://WHO127.0.0.1:11434/v1/chat?key=secret'.replace('WHO', 'ann:secret@')
  assert.equal(
    toProblem({ name: 'AI_APICallError', message: 'Cannot connect to API: ', url, cause }, 1)
      .message,
    'nothing answers at http://127.0.0.1:11434; is the server running?',
  )
  assert.equal(
    toProblem(named('Error', { code: 'ECONNREFUSED' }), 1).message,
    'nothing answers at its address; is the server running?',
  )
})

test("[R4.3] a provider's requested wait is read from the headers", () => {
  const wait = (headers: Record<string, string>): number | undefined =>
    toProblem(apiError(429, { headers }), 1).retryAfterMs
  assert.equal(wait({ 'retry-after': '7' }), 7000)
  assert.equal(wait({ 'retry-after': '0.5' }), 500)
  assert.equal(wait({ 'retry-after-ms': '250', 'retry-after': '7' }), 250)
  assert.equal(wait({ 'retry-after-ms': 'soon', 'retry-after': '7' }), 7000)
  assert.equal(wait({ 'retry-after': '-1' }), undefined)
  assert.equal(wait({ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), undefined)
  assert.equal(wait({}), undefined)
  assert.ok(!('retryAfterMs' in toProblem(new Error('x'), 1)))
})

test("[C-20] a provider's own normalizer is asked first, and may give the wait if no header does", () => {
  const busy: NormalizeError = (error) =>
    error instanceof Error ? { message: 'busy', type: 'rate-limit', retryAfterMs: 20 } : undefined
  assert.deepEqual(toProblem(apiError(400), 3, busy), {
    code: 'rate-limit',
    message: 'busy',
    retryable: true,
    attempts: 3,
    retryAfterMs: 20,
  })
  const asked = apiError(429, { headers: { 'retry-after-ms': '7' } })
  assert.equal(toProblem(asked, 1, busy).retryAfterMs, 7)
  assert.equal(toProblem({ statusCode: 404 }, 1, busy).code, 'not-found')
  assert.equal(toProblem(named('AbortError'), 1, busy).code, 'aborted')
})

test('distinguishes requests that no server can have seen from those that may have had an effect', () => {
  const through = (cause: unknown) => named('AI_APICallError', { message: 'Cannot connect', cause })
  const unsent = [
    through({ code: 'ECONNREFUSED' }),
    through(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
    through({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
    through({ code: 'EAI_AGAIN' }),
    through({ code: 'EHOSTUNREACH', syscall: 'connect' }),
    through({ code: 'ETIMEDOUT', syscall: 'connect' }),
    through({ code: 'UND_ERR_CONNECT_TIMEOUT' }),
    through({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    through({ code: 'CERT_HAS_EXPIRED' }),
    through({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }),
    named('TypeError', { message: 'fetch failed', cause: { code: 'ECONNREFUSED' } }),
    named('AI_LoadAPIKeyError', { message: 'OpenAI API key is missing' }),
  ]
  for (const error of unsent) assert.equal(wasNeverSent(error), true, JSON.stringify(error))
  const sent = [
    through({ code: 'ECONNRESET' }),
    through({ code: 'EPIPE' }),
    through({ code: 'ETIMEDOUT', syscall: 'read' }),
    through({ code: 'UND_ERR_SOCKET' }),
    through({ code: 'UND_ERR_HEADERS_TIMEOUT' }),
    through(undefined),
    Object.assign(through({ code: 'ECONNREFUSED' }), { statusCode: 502 }),
    // A model may make several requests, and its own database may be down.
    named('Error', { code: 'ECONNREFUSED' }),
    named('TypeError', { message: 'terminated', cause: { code: 'ECONNREFUSED' } }),
    'ECONNREFUSED',
    undefined,
  ]
  for (const error of sent) assert.equal(wasNeverSent(error), false, JSON.stringify(error))
  const endless = named('AI_APICallError', { message: '' })
  assert.equal(wasNeverSent(Object.assign(endless, { cause: endless })), false)
})
