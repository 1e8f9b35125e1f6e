import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolError } from '../../echelon/src/core/tool/tool.ts'
import { EchelonError } from '../../echelon/src/core/value/error.ts'
import { connectionError, isSessionGone, toolError } from './failure.ts'
import { loadSdk } from './sdk.ts'

const sdk = await loadSdk()
const { McpError, ErrorCode, UrlElicitationRequiredError } = sdk.types
const AT = { name: 'files', url: 'http://127.0.0.1:9/mcp' } as const
const PROGRAM = { name: 'files', command: 'files' } as const
const called = { server: 'files', tool: 'read' } as const
const http = (status: number, text = 'no'): Error => new sdk.StreamableHTTPError(status, text)
const coded = (code: string): Error => Object.assign(new Error(`spawn ${code}`), { code })
const unreachable = (cause?: Error): Error => new TypeError('fetch failed', { cause })

test('why a server at a URL cannot be used', () => {
  const said = (error: unknown): string => connectionError(sdk, AT, error, '')
  assert.equal(said(new sdk.UnauthorizedError()), 'sign-in is required')
  assert.match(said(http(401)), /access was denied at .*mcp \(status 401\)/)
  assert.match(said(http(403)), /access was denied at .*mcp \(status 403\)/)
  assert.match(said(http(404)), /no streamable HTTP server/)
  assert.match(said(http(405)), /no streamable HTTP server/)
  assert.equal(said(http(500, 'it broke')), 'it broke')
  assert.match(said(unreachable(coded('ECONNREFUSED'))), /unreachable at .* \(ECONNREFUSED\)/)
  assert.match(said(unreachable()), /unreachable at .* \(no connection\)/)
  assert.equal(said(new McpError(ErrorCode.ConnectionClosed, 'Connection closed')), CLOSED)
  assert.equal(said(new EchelonError('INVALID_INPUT', 'give a URL')), 'give a URL')
  assert.equal(said('two\nlines'), 'two lines')
})

const CLOSED = 'the connection was closed'

test('why a program cannot be used, with what it printed last', () => {
  const said = (error: unknown, stderr = ''): string => connectionError(sdk, PROGRAM, error, stderr)
  assert.match(said(coded('ENOENT')), /the program files was not found; install it/)
  assert.equal(said(coded('EACCES')), 'files is not executable')
  assert.equal(said(new Error('it ended')), 'it ended')
  assert.equal(
    said(new Error('it ended'), 'a\nout of memory\n'),
    'it ended; its last output: out of memory',
  )
})

test('an answer against the schema is told by its first place', () => {
  const said = (issues: unknown): string =>
    connectionError(sdk, AT, Object.assign(new Error('[…]'), { issues }), '')
  const sentence = 'its answer does not follow the protocol'
  assert.equal(
    said([{ path: ['tools', 0, 'name'] }, { path: ['b'] }]),
    `${sentence} (at tools.0.name)`,
  )
  assert.equal(said([]), sentence)
  assert.equal(said([{ path: 'tools' }]), sentence)
})

test('a session is gone after 404, or 400 about the session', () => {
  assert.equal(isSessionGone(sdk, http(404)), true)
  assert.equal(isSessionGone(sdk, http(400, 'No valid session ID')), true)
  assert.equal(isSessionGone(sdk, http(400, 'bad request')), false)
  assert.equal(isSessionGone(sdk, http(500)), false)
  assert.equal(isSessionGone(sdk, new Error('404')), false)
})

test('a failed call says what to do, and whether it may have acted', () => {
  const rows: readonly (readonly [
    unknown,
    code: string,
    pattern: RegExp,
    mayHaveActed: boolean,
  ])[] = [
    [new ToolError('RATE_LIMIT', 'wait'), 'RATE_LIMIT', /^wait$/, false],
    [new sdk.UnauthorizedError(), 'TOOL_ERROR', /requires a new sign-in/, false],
    [new EchelonError('INVALID_INPUT', 'x'), 'TOOL_ERROR', /requires a new sign-in/, false],
    [pageFirst(), 'TOOL_ERROR', /open a page first: https:\/\/one\.example/, false],
    [new McpError(ErrorCode.InvalidParams, 'no path'), 'INVALID_ARGS', /^read: no path$/, false],
    [http(429), 'RATE_LIMIT', /limiting the rate/, false],
    [unreachable(coded('ENOTFOUND')), 'NET_TIMEOUT', /cannot be reached \(ENOTFOUND\)/, false],
    [unreachable(coded('ECONNRESET')), 'NET_TIMEOUT', /was lost during the call/, true],
    [unreachable(), 'NET_TIMEOUT', /was lost during the call/, true],
    [
      new McpError(ErrorCode.ConnectionClosed, 'x'),
      'NET_TIMEOUT',
      /was lost during the call/,
      true,
    ],
    [new McpError(ErrorCode.RequestTimeout, 'x'), 'NET_TIMEOUT', /took too long/, true],
    [new McpError(ErrorCode.InternalError, 'x'), 'TOOL_ERROR', /^read: x$/, false],
    [http(422, 'x'), 'TOOL_ERROR', /^read: x$/, false],
    [http(502, 'x'), 'TOOL_ERROR', /^read: x$/, true],
    [new Error('Not connected'), 'TOOL_ERROR', /^read: Not connected$/, false],
    ['odd', 'TOOL_ERROR', /^read: odd$/, true],
  ]
  for (const [error, code, pattern, mayHaveActed] of rows) {
    const told = toolError(sdk, error, called)
    assert.equal(told.code, code, String(error))
    assert.match(told.message, pattern)
    assert.equal(told.mayHaveActed, mayHaveActed, String(error))
  }
})

const pageFirst = (): Error =>
  new UrlElicitationRequiredError([
    { mode: 'url', message: 'sign in', url: 'https://one.example', elicitationId: '1' },
  ])
