import assert from 'node:assert/strict'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import { isJsonObject, type Json } from '../../core/value/json.ts'
import { jsonForm } from '../../core/value/json-form.ts'
import { toJsonSchema, validate } from '../../core/schema/schema.ts'
import { type Tool, type ToolContext, ToolError } from '../../core/tool/tool.ts'
import { casesOf, type ContractCase, frozen, inTime } from '../contract.ts'

/** Inputs for testing a tool, and the state that it changes. */
export interface ToolTrial {
  /** A valid input. */
  readonly input: Json
  /** Inputs that its schema rejects. Default: values that are not objects. */
  readonly refuses?: readonly Json[]
  /** Inputs that match the schema, for which it fails. */
  readonly fails?: readonly Json[]
  /** The current external state that it changes. Adds the cases on repeated calls. */
  readonly world?: () => Json | Promise<Json>
  /** Further context for the tool; by default its `artifacts` store nothing. */
  readonly context?: Partial<ToolContext>
  /** The maximum duration of a call, in real milliseconds. Default 10,000. */
  readonly patienceMs?: number
}

/**
 * The requirements of a tool: `for (const { name, holds } of toolContract(() => weather, { input: {
 * city: 'Oslo' } })) test(name, holds)`. Really calls the tool, with keys that no run uses.
 * @param open the tool, with separate external state for each case
 */
export function toolContract(open: () => Tool, trial: ToolTrial): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const { refuses = [null, 'text', [1]], fails = [] } = trial
  return [
    caseOf('describes its purpose and input to a model', (tool) => {
      assert.match(tool.description, /\S/)
      assert.equal(tool.jsonSchema['type'], 'object', 'a model can only write an object')
      assert.ok(isJsonObject(toJsonSchema(tool.input)))
    }),
    caseOf('its schema accepts the input and rejects invalid ones', async (tool) => {
      const accepted = await validate(tool.input, trial.input)
      assert.ok(accepted.ok, accepted.ok ? '' : accepted.message)
      for (const input of refuses) {
        const checked = await validate(tool.input, input)
        assert.equal(checked.ok, false, `it takes ${JSON.stringify(input)}`)
      }
    }),
    caseOf('its result is complete as JSON', async (tool) => {
      const text = JSON.stringify(await called(tool, trial))
      assert.doesNotMatch(text, /"\[(?:circular|too deep|unreadable)\]"/, `it gives ${text}`)
    }),
    caseOf('its input is not mutated', async (tool) => {
      await called(tool, trial, {}, frozen)
    }),
    caseOf('an aborted call ends', async (tool) => {
      await outcomeOf(called(tool, trial, { signal: AbortSignal.abort() }))
      const up = new AbortController()
      // During its work, which starts by reading the input.
      const begin = (value: unknown): unknown => {
        setImmediate(() => up.abort())
        return value
      }
      await outcomeOf(called(tool, trial, { signal: up.signal }, begin))
    }),
    ...fails.map((input) =>
      caseOf(`fails with a code for ${JSON.stringify(input)}`, async (tool) => {
        await assert.rejects(called(tool, { ...trial, input }), (error) => {
          assert.ok(error instanceof ToolError, `it throws ${String(error)}, and no ToolError`)
          return true
        })
      }),
    ),
    ...repeated(open, trial),
  ]
}

/** Whether a call is repeated after a crash depends on the tool's declared effects. */
function repeated(open: () => Tool, trial: ToolTrial): readonly ContractCase[] {
  const { world } = trial
  const promised = open()
  const caseOf = casesOf(open)
  if (world === undefined) return []
  const looksOnly = caseOf('a tool that only reads changes nothing', async (tool) => {
    const before = await world()
    await called(tool, trial)
    assert.deepEqual(await world(), before)
  })
  const onceForAKey = caseOf(
    'a second call with the same key changes nothing more',
    async (tool) => {
      const first: unknown = await called(tool, trial)
      const after = await world()
      assert.deepEqual(await called(tool, trial), first)
      assert.deepEqual(await world(), after)
    },
  )
  const knows = caseOf('can report whether a call was made', async (tool) => {
    const { value } = await fitting(tool, trial.input)
    const before = await tool.reconcile?.('never', value)
    assert.ok(before === 'not-done' || before === 'unknown', 'a call that was never made')
    await called(tool, trial)
    assert.notEqual(await tool.reconcile?.(KEY, value), 'not-done', 'a call that was made')
  })
  if (promised.does === 'reads') return [looksOnly]
  return [
    ...(promised.does === 'idempotent' ? [onceForAKey] : []),
    ...(promised.reconcile === undefined ? [] : [knows]),
  ]
}

const KEY = 'contract:0.0'

async function fitting(tool: Tool, input: Json): Promise<{ readonly value: unknown }> {
  const checked = await validate(tool.input, input)
  assert.ok(checked.ok, checked.ok ? '' : checked.message)
  return checked
}

async function called(
  tool: Tool,
  { input, context = {}, patienceMs = 10_000 }: ToolTrial,
  more: Partial<ToolContext> = {},
  hold: (value: unknown) => unknown = (value) => value,
): Promise<Json> {
  const { value } = await fitting(tool, input)
  const run = async (): Promise<Json> =>
    jsonForm(
      await tool.run(hold(value), {
        ...CONTEXT,
        signal: new AbortController().signal,
        ...context,
        ...more,
      }),
    )
  return await inTime(run(), `${tool.name} ends`, patienceMs)
}

/** Any end is accepted, as long as there is one. */
async function outcomeOf(call: Promise<Json>): Promise<void> {
  try {
    await call
  } catch (error) {
    const isLate = error instanceof Error && /ends within \d+ ms$/.test(error.message)
    assert.ok(!isLate, 'it does not listen to its signal')
  }
}

const NOWHERE: ArtifactStore = {
  write: (name, content) =>
    Promise.resolve({
      name,
      path: `/nowhere/${name}`,
      mediaType: 'application/octet-stream',
      bytes: content.byteLength,
      sha256: '0'.repeat(64),
    }),
}

const CONTEXT: Omit<ToolContext, 'signal'> = {
  key: KEY,
  at: Date.UTC(2025, 8, 8),
  timeZone: 'UTC',
  artifacts: NOWHERE,
  progress: () => undefined,
}
