import assert from 'node:assert/strict'
import test from 'node:test'
import type { ToolOutcome } from '../../../core/tool/tool.ts'
import type { Evidence } from '../state.ts'
import { toolResponse } from './tool-response.ts'

const TASK = { timeZone: 'Asia/Bangkok', runId: 'run-1' }

const left = (outcome: ToolOutcome): Evidence => ({
  rung: 0,
  round: 0,
  call: { id: '0.0.2', tool: 'calculator', input: { expr: '1 +' } },
  outcome,
  at: Date.UTC(2025, 0, 1),
})

test("[DD-7, R13.1] a failed action leaves the taxonomy's error object", () => {
  const outcome = { type: 'error', code: 'INVALID_ARGS', message: 'say it in full' } as const
  assert.deepEqual(toolResponse(left(outcome), TASK), {
    error: 'say it in full',
    code: 'INVALID_ARGS',
    details: { tool: 'calculator', args: { expr: '1 +' } },
    kind: 'error',
    timestamp: '2025-01-01T07:00:00.000+07:00',
    step_id: 'run-1:0.0.2',
  })
})

test('[DD-6] a result is the tool’s own object', () => {
  const value = { value: '2', kind: 'data' }
  assert.deepEqual(toolResponse(left({ type: 'ok', value }), TASK), value)
})

test('a refused, denied or unknown call is an error object too', () => {
  const codes = [
    { type: 'refused', limit: 'tools' } as const,
    { type: 'denied', reason: 'not allowed' } as const,
    { type: 'unknown', message: 'it may have acted' } as const,
  ].map((outcome) => JSON.stringify(toolResponse(left(outcome), TASK)))
  assert.match(codes[0] ?? '', /"error":"the limit of tools did not allow the call".*TOOL_ERROR/)
  assert.match(codes[1] ?? '', /"error":"not allowed".*UNKNOWN_TOOL/)
  assert.match(codes[2] ?? '', /"error":"it may have acted".*TOOL_ERROR/)
})
