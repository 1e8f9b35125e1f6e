import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { condensed } from '../../packages/echelon/src/core/journal/condensed.ts'
import { isRecord } from '../../packages/echelon/src/core/value/json.ts'
import type { Entry } from '../../packages/echelon/src/core/journal/journal.ts'
import { seededIds } from '../../packages/echelon/src/core/value/random.ts'
import { decideAgent } from '../../packages/echelon/src/agents/decide/decide.ts'
import { Verification } from '../../packages/echelon/src/agents/decide/verification/verification.ts'
import { standardVerifiers } from '../../packages/echelon/src/agents/decide/verifiers/standard.ts'
import {
  type DecideInput,
  type DecideResult,
  type DecideState,
  RULES,
} from '../../packages/echelon/src/agents/decide/state.ts'
import { replayRun } from '../../packages/echelon/src/runtime/journal/replay.ts'
import { resumeRun } from '../../packages/echelon/src/runtime/resume.ts'
import type { RunEnd } from '../../packages/echelon/src/runtime/loop.ts'
import { type Run, startRun } from '../../packages/echelon/src/runtime/run.ts'
import type { Services } from '../../packages/echelon/src/runtime/services.ts'
import { ToolRegistry } from '../../packages/echelon/src/runtime/tools/tool-registry.ts'
import { MemoryJournal } from '../../packages/echelon/src/runtime/journal/memory-journal.ts'
import {
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import { SetClock } from '../../packages/echelon/src/testing/set-clock.ts'
import {
  artifacts,
  calc,
  DECLINED,
  loopOf,
  MATH_TASK,
  planOf,
  policyOf,
  STOCK_TASK,
  stockPlan,
  taskOf,
  toldTo,
  TOOLS,
} from './fixtures.ts'

/** Enough for the extra calls that crashes may cost. */
const policy = policyOf({
  budget: { max_llm_calls_small: 30, max_llm_calls_big: 30, max_tool_calls: 60, max_checks: 60 },
})
const verification = new Verification(standardVerifiers())
const definition = decideAgent({ policy, tools: TOOLS, verification })

/** A model that decides by its prompt alone, so it repeats its answers. */
type Mind = (told: string) => ReturnType<Extract<ScriptedAnswer, (...asked: never) => unknown>>

interface Scenario {
  readonly name: string
  readonly input: string
  readonly small: Mind
  readonly big: Mind
  readonly reason: string
}

const wasRefused = (told: string): boolean => told.includes('Why that was not accepted')
const wasNoPlan = (told: string): boolean => told.includes('Why your last answer was no plan')

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'a stock task that is promoted and then solved',
    input: STOCK_TASK,
    small: (told) => stockPlan(wasRefused(told) ? 20 : 10),
    big: () => stockPlan(),
    reason: 'success',
  },
  {
    name: 'a math task with a reprompt, an unknown tool and a failing one',
    input: MATH_TASK,
    small: (told) =>
      wasNoPlan(told) || wasRefused(told)
        ? planOf({ tool: 'rm', args: {} }, calc('fifteen'), calc('15 + 23'))
        : 'no plan',
    big: (told) => planOf(calc(told.includes('"15 - 23"') ? '15 * 23' : '15 - 23')),
    reason: 'success',
  },
  {
    name: 'a task that all decline',
    input: MATH_TASK,
    small: () => DECLINED,
    big: () => DECLINED,
    reason: 'big_fail',
  },
]

function servicesFor({ small, big }: Scenario, journal: MemoryJournal): Services {
  const play = (modelId: string, mind: Mind): ReturnType<typeof asBound> =>
    asBound(
      scriptedModel(
        Array.from({ length: 30 }, (): ScriptedAnswer => (asked) => mind(toldTo(asked))),
        { modelId },
      ),
    )
  return {
    models: { small: play('small', small), big: play('big', big) },
    tools: new ToolRegistry(TOOLS),
    artifacts,
    clock: new SetClock(),
    ids: seededIds(1),
    timeZone: 'UTC',
    limits: policy.limits,
    journal,
  }
}

type DecideEnd = RunEnd<DecideResult>

function begin(scenario: Scenario, journal: MemoryJournal): Run<DecideResult, DecideState> {
  const input: DecideInput = {
    input: scenario.input,
    mode: 'hrm_small_then_escalate',
    expectedTools: [],
    goldAnswer: null,
    today: null,
    seed: null,
    rules: RULES,
  }
  return startRun(definition, input, servicesFor(scenario, journal), { runId: 'run' })
}

/** A process that resumes from these entries; returns what it adds to them, and how it ends. */
async function goOn(
  scenario: Scenario,
  entries: readonly Entry[],
): Promise<{ readonly end: DecideEnd; readonly added: readonly Entry[] }> {
  const journal = new MemoryJournal()
  const run = resumeRun(definition, entries, { services: servicesFor(scenario, journal) })
  return { end: await run.result, added: journal.read('run') }
}

const steps = (entries: readonly Entry[]): number =>
  entries.filter(({ type }) => type === 'closed').length

/** The paths of a state's fields. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (!isRecord(value) && !Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, part]) => [
    ...(Array.isArray(value) ? [] : [[key]]),
    ...pathsIn(part).map((path) => [key, ...path]),
  ])
}

/** Replaces a field with a value that no state can have. */
function breakAt(state: unknown, path: readonly string[]): void {
  const [key, ...rest] = path
  if (typeof state !== 'object' || state === null || key === undefined) return
  if (rest.length === 0) Reflect.set(state, key, { no: Symbol('such field') })
  else breakAt(Reflect.get(state, key), rest)
}

suite('a decide run that is resumed', () => {
  for (const scenario of SCENARIOS) {
    test(`resumed at any entry of its journal it ends the same: ${scenario.name}`, async () => {
      const journal = new MemoryJournal()
      const whole: DecideEnd = await begin(scenario, journal).result
      assert.equal(whole.reason, scenario.reason)
      const entries = journal.read('run')
      for (let crash = 1; crash <= entries.length; crash++) {
        const left = entries.slice(0, crash)
        const { end, added } = await goOn(scenario, left)
        assert.deepEqual(end, whole, `after entry ${crash}`)
        // Completed work is not repeated.
        assert.equal(steps(left) + steps(added), steps(entries))
      }
    })
  }

  test('resumes from the state of any step, after a round trip through JSON', async () => {
    for (const scenario of SCENARIOS) {
      const journal = new MemoryJournal()
      const whole = await begin(scenario, journal).result
      const entries = journal.read('run')
      for (const { seq, moved, spent } of replayRun(definition, entries)) {
        const stored: unknown = JSON.parse(JSON.stringify(moved.state))
        const models = { small: 'scripted/small', big: 'scripted/big' }
        const of = { agent: definition.name, version: definition.version, after: 0, at: 0 }
        const snapshot = { ...of, seq: seq + 1, state: stored, spent, models }
        const shorter = condensed(entries, snapshot)
        assert.equal(shorter[1]?.type, 'dropped')
        for (const kept of [shorter, shorter.slice(0, 2)]) {
          const { end } = await goOn(scenario, kept)
          assert.deepEqual(end.result.reason, whole.result.reason)
          assert.deepEqual(end.result.loop.answer, whole.result.loop.answer)
        }
      }
    }
  })

  test('an invalid state is refused, whatever part of it is wrong', async () => {
    for (const scenario of SCENARIOS) {
      const journal = new MemoryJournal()
      await begin(scenario, journal).result
      for (const { moved } of replayRun(definition, journal.read('run'))) {
        const text = JSON.stringify(moved.state)
        assert.deepEqual(JSON.stringify(definition.load(JSON.parse(text))), text)
        for (const path of pathsIn(JSON.parse(text))) {
          // Inputs and tool values may be any JSON; a store holds nothing else.
          if (path.some((part) => ['input', 'value', 'args', 'image'].includes(part))) continue
          const broken: unknown = JSON.parse(text)
          breakAt(broken, path)
          assert.throws(() => definition.load(broken), { code: 'STATE_REFUSED' }, path.join('.'))
        }
      }
    }
  })

  test('loads a state stored by an earlier version, under its rules', () => {
    for (const scenario of SCENARIOS) {
      const { rules: _rules, unchecked: _unchecked, ...task } = taskOf({ input: scenario.input })
      const { checked: _checked, ...older } = loopOf()
      const stored = { phase: 'plan', loop: { ...older, task } }
      const { loop } = definition.load(JSON.parse(JSON.stringify(stored)))
      assert.deepEqual(loop, loopOf({ task: { ...task, unchecked: 'escalate', rules: 1 } }))
    }
  })

  test('also when it crashes again at every step', async () => {
    for (const scenario of SCENARIOS) {
      const journal = new MemoryJournal()
      const whole = await begin(scenario, journal).result
      let entries: readonly Entry[] = journal.read('run').slice(0, 1)
      let resumed = 0
      while (!entries.some(({ type }) => type === 'ended')) {
        const { added } = await goOn(scenario, entries)
        const first = added.findIndex(({ type }) => type === 'closed')
        entries = [...entries, ...added.slice(0, first < 0 ? added.length : first + 1)]
        resumed++
      }
      assert.ok(resumed > steps(entries))
      assert.deepEqual((await goOn(scenario, entries)).end, whole)
    }
  })

  test('a run that had ended returns its end again without any call', async () => {
    const [scenario] = SCENARIOS
    assert.ok(scenario !== undefined)
    const journal = new MemoryJournal()
    const whole = await begin(scenario, journal).result
    const nobody = (): string => assert.fail('nobody is to be called')
    const idle = { ...scenario, small: nobody, big: nobody }
    assert.deepEqual((await goOn(idle, journal.read('run'))).end, whole)
  })
})
