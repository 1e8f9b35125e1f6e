import assert from 'node:assert/strict'
import type { ToolCall } from '../plan.ts'
import type { ExecutionContext, ToolExecutor, ToolResult } from '../primitives/tool-executor.ts'
import { casesOf, notCopied } from 'echelon/internal/testing'
import type { ContractCase } from 'echelon/testing'

/** An executor, and calls to test it with. */
export interface ToolExecutorTrial {
  readonly executor: ToolExecutor
  /** A call that succeeds every time under a new key. */
  readonly call: ToolCall
  /** How often it was executed. */
  readonly carriedOut: () => number
  /** A call whose tool fails, by exception or by result. */
  readonly failing: ToolCall
}

/**
 * Contract tests for every `ToolExecutor`: `for (const { name, holds } of toolExecutorContract(open)) test(name,
 * holds)`.
 * @param open opens an executor that has executed nothing
 */
export function toolExecutorContract(
  open: () => ToolExecutorTrial | Promise<ToolExecutorTrial>,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('each tool is described by its name, in words and by a schema', ({ executor, call }) => {
      const described = executor.describe()
      const names = described.map(({ name }) => name)
      assert.ok(names.includes(call.toolName), `${call.toolName} is not described`)
      assert.equal(new Set(names).size, names.length, 'a name comes twice')
      for (const { name, description, parameters } of described) {
        assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        assert.notEqual(description, '')
        assert.equal(parameters['type'], 'object', `${name} takes no object`)
      }
    }),
    caseOf('what succeeds has data and no error', async ({ executor, call }) => {
      const result = await executor.execute(call, contextOf('a'))
      const { success, data, error, executionTimeMs } = result
      assert.deepEqual([success, error], [true, null])
      assert.equal(typeof data, 'object')
      assert.ok(executionTimeMs >= 0)
    }),
    caseOf('a tool that fails is a result, and no exception', async ({ executor, failing }) => {
      isFailure(await executor.execute(failing, contextOf('a')))
    }),
    caseOf('a missing tool is refused', async ({ executor, call }) => {
      for (const toolName of ['no_such_tool', '', '__proto__', 'constructor']) {
        isFailure(await executor.execute({ ...call, toolName }, contextOf(toolName)))
      }
    }),
    caseOf('under one key a call is carried out once, and answered the same', async (trial) => {
      const { executor, call, carriedOut } = trial
      const both = await Promise.all([1, 2].map(async () => executor.execute(call, contextOf('a'))))
      assert.deepEqual(both[0], both[1])
      assert.deepEqual(await executor.execute(call, contextOf('a')), both[0])
      assert.equal(carriedOut(), 1)
    }),
    caseOf('under another key the same call is carried out again', async (trial) => {
      const { executor, call, carriedOut } = trial
      for (const key of ['a', 'b']) await executor.execute(call, contextOf(key))
      assert.equal(carriedOut(), 2)
    }),
    caseOf('what a caller does to a result is not seen by the next', async ({ executor, call }) => {
      const first = await executor.execute(call, contextOf('a'))
      const before = structuredClone(first)
      Object.assign(Object(first.data), { changed: true })
      const again = await executor.execute(call, contextOf('a'))
      assert.deepEqual(again, before, notCopied('execute', 'data'))
    }),
  ]
}

function isFailure({ success, data, error }: ToolResult): void {
  assert.deepEqual([success, data], [false, null])
  assert.match(error ?? '', /\S/, 'why is not said')
}

const contextOf = (key: string): ExecutionContext => ({
  sessionId: 's',
  interactionId: 'i',
  customerId: 'C-001',
  idempotencyKey: `contract ${key}`,
  execution: null,
})
