import assert from 'node:assert/strict'
import type { ArtifactStore } from '../../core/tool/artifact.ts'
import { isJsonObject, type Json } from '../../core/value/json.ts'
import { jsonForm } from '../../core/value/json-form.ts'
import { toJsonSchema, validate } from '../../core/schema/schema.ts'
import { type Tool, type ToolContext, ToolError } from '../../core/tool/tool.ts'
import { casesOf, type ContractCase, frozen, inTime } from '../contract.ts'

/** Inputs to try a tool with, and what of the world it changes. */
export interface ToolTrial {
  /** An input that it can work with. */
  readonly input: Json
  /** Inputs that its schema refuses; default what is no object. */
  readonly refuses?: readonly Json[]
  /** Inputs that fit the schema, for which it fails. */
  readonly fails?: readonly Json[]
  /** What of the world it changes, as it is now. Adds the cases on repeated calls. */
  readonly world?: () => Json | Promise<Json>
  /** What it is handed besides; its `artifacts` keep nothing by default. */
  readonly context?: Partial<ToolContext>
  /** How long a call may take, in real milliseconds; default 10,000. */
  readonly patienceMs?: number
}

/**
 * Whether a tool keeps what it promises:
 * `for (const { name, holds } of toolContract(() => weather, { input: { city: 'Oslo' } })) test(name, holds)`.
 * It is really called, by keys that no run has.
 * @param open the tool, with a world of its own for each case
 */
export function toolContract(open: () => Tool, trial: ToolTrial): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const { refuses = [null, 'text', [1]], fails = [] } = trial
  return [
    caseOf('it tells a model what it is for and what it takes', (tool) => {
      assert.match(tool.description, /\S/)
      assert.equal(tool.jsonSchema['type'], 'object', 'a model can only write an object')
      assert.ok(isJsonObject(toJsonSchema(tool.input)))
    }),
    caseOf('its schema takes the input, and refuses what does not fit', async (tool) => {
      const taken = await validate(tool.input, trial.input)
      assert.ok(taken.ok, taken.ok ? '' : taken.message)
      for (const input of refuses) {
        const checked = await validate(tool.input, input)
        assert.equal(checked.ok, false, `it takes ${JSON.stringify(input)}`)
      }
    }),
    caseOf('its result can be told whole as JSON', async (tool) => {
      const text = JSON.stringify(await called(tool, trial))
      assert.doesNotMatch(text, /"\[(?:circular|too deep|unreadable)\]"/, `it gives ${text}`)
    }),
    caseOf('its input is not changed', async (tool) => {
      await called(tool, trial, {}, frozen)
    }),
    caseOf('a call that is given up ends', async (tool) => {
      await outcomeOf(called(tool, trial, { signal: AbortSignal.abort() }))
      const up = new AbortController()
      // In the middle of its work, which begins with the input.
      const begin = (value: unknown): unknown => {
        setImmediate(() => up.abort())
        return value
      }
      await outcomeOf(called(tool, trial, { signal: up.signal }, begin))
    }),
    ...fails.map((input) =>
      caseOf(`what it cannot do with ${JSON.stringify(input)} has a code`, async (tool) => {
        await assert.rejects(called(tool, { ...trial, input }), (error) => {
          assert.ok(error instanceof ToolError, `it throws ${String(error)}, and no ToolError`)
          return true
        })
      }),
    ),
    ...repeated(open, trial),
  ]
}

/** What is done again after a crash depends on what the tool says that it does. */
function repeated(open: () => Tool, trial: ToolTrial): readonly ContractCase[] {
  const { world } = trial
  const promised = open()
  const caseOf = casesOf(open)
  if (world === undefined) return []
  const looksOnly = caseOf('a tool that reads changes nothing', async (tool) => {
    const before = await world()
    await called(tool, trial)
    assert.deepEqual(await world(), before)
  })
  const onceForAKey = caseOf(
    'a second call under the same key changes nothing more',
    async (tool) => {
      const first: unknown = await called(tool, trial)
      const after = await world()
      assert.deepEqual(await called(tool, trial), first)
      assert.deepEqual(await world(), after)
    },
  )
  const knows = caseOf('it can tell whether a call was made', async (tool) => {
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

/** An end of any kind will do, but for none. */
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
