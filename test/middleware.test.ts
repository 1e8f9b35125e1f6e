import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineMiddleware } from '../packages/echelon/src/core/extension/define-middleware.ts'
import type { RunEvent } from '../packages/echelon/src/core/agent/event.ts'
import type { Json } from '../packages/echelon/src/core/value/json.ts'
import type { Middleware } from '../packages/echelon/src/core/extension/defined-middleware.ts'
import type { Observation } from '../packages/echelon/src/core/agent/observation.ts'
import { systemMessage } from '../packages/echelon/src/core/message/thread.ts'
import {
  caching,
  circuitBreaker,
  compose,
  errorTracking,
  fallback,
  providerBreaker,
  retry,
  timeout,
} from '../packages/echelon/src/middleware.ts'
import { startRun } from '../packages/echelon/src/runtime/run.ts'
import type { Services } from '../packages/echelon/src/runtime/services.ts'
import {
  apiError,
  asBound,
  type ScriptedAnswer,
  scriptedModel,
} from '../packages/echelon/src/testing/scripted-model.ts'
import {
  callTools,
  generate,
  only,
  performing,
  sleepOn,
  type Step,
  TextJournal,
  toEnd,
  tool,
  type World,
  world,
} from './runtime/kit.ts'

const busy: ScriptedAnswer = { error: apiError(503) }

/** A world whose role `small` is played by a script, with middleware around it. */
function worldOf(
  middlewares: readonly Middleware[],
  script: readonly ScriptedAnswer[],
  more: Parameters<typeof world>[0] = {},
): World & { readonly model: ReturnType<typeof scriptedModel> } {
  const later: { clock?: World['clock'] } = {}
  const model = scriptedModel(script, {
    sleep: (ms, signal) => {
      assert.ok(later.clock !== undefined)
      return sleepOn(later.clock).sleep?.(ms, signal) ?? Promise.resolve()
    },
  })
  const models = { small: asBound(model, 'scripted/small') }
  const made = world({ models, pipeline: compose(middlewares), ...more })
  later.clock = made.clock
  return { ...made, model }
}

async function seenIn(
  { services, clock }: { readonly services: Services; readonly clock: World['clock'] },
  steps: readonly Step[],
): Promise<readonly Observation[]> {
  const { result } = await toEnd(startRun(performing(steps), null, services), clock)
  return result
}

const told = (events: readonly RunEvent[]): readonly (readonly [string, string, Json])[] =>
  events.flatMap((event) =>
    event.type === 'middleware' ? [[event.middleware, event.event, event.data] as const] : [],
  )

const textOf = (seen: Observation | undefined): string | undefined =>
  seen?.type === 'generated' ? seen.text : undefined

test('[C-21] a retry middleware replaces the built-in retry, so attempts do not multiply', async () => {
  const made = worldOf([retry({ retries: 1 })], [busy, busy])
  const failure = only(await seenIn(made, [generate()]))
  assert.ok(failure.type === 'failed')
  assert.deepEqual([failure.error.code, failure.error.attempts], ['unavailable', 2])
  made.model.assertComplete()
  assert.equal(told(made.events).length, 1)
  assert.ok(!made.events.some(({ type }) => type === 'retry-wait'))
})

test('[C-21] a retry after visible text tells listeners to drop it', async () => {
  const cut: ScriptedAnswer = { error: apiError(503), after: ['hel'] }
  const made = worldOf([retry()], [cut, { text: ['hel', 'lo'] }])
  const seen = only(await seenIn(made, [generate({ show: 'user' })]))
  assert.equal(textOf(seen), 'hello')
  const shown = made.events.flatMap((event) => {
    if (event.type === 'text-delta') return [event.delta]
    return event.type === 'text-drop' ? ['(drop)'] : []
  })
  assert.deepEqual(shown, ['hel', '(drop)', 'hel', 'lo'])
})

describe('[C-14] the visible text of a call that middleware repeats or answers itself', () => {
  const shownOf = async (
    middleware: Middleware,
    script: readonly ScriptedAnswer[],
  ): Promise<readonly string[]> => {
    const made = worldOf([middleware], script)
    await seenIn(made, [generate({ show: 'user' })])
    return made.events.flatMap((event) => {
      if (event.type === 'text-delta') return [event.delta]
      return event.type === 'text-drop' ? ['(drop)'] : []
    })
  }

  test('is one answer: another attempt drops the earlier text', async () => {
    const twice = defineMiddleware({
      name: 'twice',
      generate: async (call, next) => {
        await next(call)
        return next(call)
      },
    })
    assert.deepEqual(await shownOf(twice(), ['one', 'two']), ['one', '(drop)', 'two'])
    const cut: ScriptedAnswer = { error: apiError(400), after: ['on'] }
    assert.deepEqual(await shownOf(twice(), [cut, 'two']), ['on', '(drop)', 'two'])
  })

  test('ends as the final answer', async () => {
    const first = defineMiddleware({
      name: 'first',
      generate: async (call, next) => {
        const outcome = await next(call)
        await next(call)
        return outcome
      },
    })
    const shown = await shownOf(first(), ['one', 'two'])
    assert.deepEqual(shown, ['one', '(drop)', 'two', '(drop)', 'one'])
    const changing = defineMiddleware({
      name: 'changing',
      generate: async (call, next) => {
        const outcome = await next(call)
        return outcome.type === 'generated' ? { ...outcome, text: 'else' } : outcome
      },
    })
    assert.deepEqual(await shownOf(changing(), ['one']), ['one', '(drop)', 'else'])
    const refusing = defineMiddleware({
      name: 'refusing',
      generate: async (call, next) => {
        await next(call)
        return { type: 'refused', by: 'policy', limit: 'x', message: 'no' }
      },
    })
    assert.deepEqual(await shownOf(refusing(), ['one']), ['one', '(drop)'])
  })
})

test('[C-22] a fallback model takes over with the same conversation', async () => {
  const other = scriptedModel(['345'])
  const named: string[] = []
  const made = worldOf([fallback(['scripted/other'])], [busy], {
    retry: { retries: 0, baseMs: 1, factor: 1, jitter: 0 },
    resolveModel: async (name) => {
      named.push(name)
      return asBound(other, name)
    },
  })
  const seen = only(await seenIn(made, [generate()]))
  assert.ok(seen.type === 'generated')
  assert.deepEqual([seen.text, seen.model], ['345', 'scripted/other'])
  assert.deepEqual(named, ['scripted/other'])
  assert.deepEqual(other.calls[0]?.prompt, made.model.calls[0]?.prompt)
  assert.deepEqual(told(made.events), [
    ['fallback', 'fallback', { from: 'scripted/small', to: 'scripted/other', code: 'unavailable' }],
  ])
})

test('[C-30] the circuit breaker stops repeated tool calls with the same arguments', async () => {
  const journal = new TextJournal()
  let runs = 0
  const add = tool('add', () => ++runs)
  const made = worldOf([circuitBreaker()], [], { tools: [add], journal })
  const steps = Array.from({ length: 5 }, () => callTools([['add', { a: 1 }]]))
  const seen = await seenIn(made, steps)
  const outcomes = seen.flatMap((one) => (one.type === 'tools-called' ? one.outcomes : []))
  assert.deepEqual(
    outcomes.map(({ type }) => type),
    ['ok', 'ok', 'ok', 'error', 'error'],
  )
  assert.equal(runs, 3)
  assert.ok(journal.appends.some((text) => text.includes('echelon/circuitBreaker')))
})

test('[C-25] an identical second call is free and streams like the first', async () => {
  const made = worldOf([caching()], [{ text: ['3', '45'] }], { limits: { 'calls.small': 1 } })
  const seen = await seenIn(made, [generate({ show: 'user' }), generate({ show: 'user' })])
  assert.deepEqual(seen.map(textOf), ['345', '345'])
  const deltas = made.events.flatMap((event) => (event.type === 'text-delta' ? [event.delta] : []))
  assert.deepEqual(deltas, ['3', '45', '3', '45'])
  const end = made.events.at(-1)
  assert.equal(end?.type === 'run-end' && end.spent['calls.small'], 1)
})

test('[C-25] canceling a run does not end a request that another run waits for', async () => {
  const made = worldOf([caching()], [{ text: '345', delayMs: 1000 }])
  const [first, second] = [0, 1].map(() => startRun(performing([generate()]), null, made.services))
  assert.ok(first !== undefined && second !== undefined)
  await made.clock.advance(500)
  first.cancel()
  const { result } = await toEnd(second, made.clock)
  assert.equal(textOf(only(result)), '345')
  assert.equal((await first.result).status, 'canceled')
})

test('a late model call and a late tool time out, each with its own code', async () => {
  const slow = tool('slow', (_, { signal }) => new Promise(() => signal.throwIfAborted()))
  const act = tool('act', () => new Promise(() => undefined), { does: 'acts' })
  const made = worldOf(
    [timeout({ modelMs: 3000, toolMs: 2000 }), retry({ retries: 0 })],
    [{ text: '345', delayMs: 5000 }],
    { tools: [slow, act] },
  )
  const [model, tools] = await seenIn(made, [generate(), callTools([['slow'], ['act']])])
  assert.equal(model?.type === 'failed' && model.error.code, 'timeout')
  assert.ok(tools?.type === 'tools-called')
  assert.deepEqual(
    tools.outcomes.map((outcome) => (outcome.type === 'error' ? outcome.code : outcome.type)),
    ['NET_TIMEOUT', 'unknown'],
  )
})

test('[C-30] the next run does not call a failing provider either', async () => {
  const made = worldOf([retry({ retries: 0 }), providerBreaker({ limit: 1 })], [busy], {
    sharedStates: new Map<string, Json>(),
  })
  for (const attempts of [1, 0]) {
    const failure = only(await seenIn(made, [generate()]))
    assert.ok(failure.type === 'failed')
    assert.deepEqual([failure.error.code, failure.error.attempts], ['unavailable', attempts])
  }
  made.model.assertComplete()
})

test('[C-30] too many consecutive errors end further model calls', async () => {
  const fails = tool('add', () => {
    throw new Error('no')
  })
  const made = worldOf([errorTracking({ max: 2 })], [], { tools: [fails] })
  const seen = await seenIn(made, [callTools([['add'], ['add']]), generate()])
  assert.deepEqual(seen[1], {
    type: 'refused',
    by: 'policy',
    limit: 'errors',
    message: '2 errors in a row: the run is allowed no more model calls',
  })
})

test('[C-14] messages from a prompt filter are sent but not kept', async () => {
  const dated = defineMiddleware({
    name: 'dated',
    prompt: (prompt, next) => next({ ...prompt, head: [systemMessage('Today is Monday.')] }),
  })
  const made = worldOf([dated()], ['345'])
  const effect = generate()
  await seenIn(made, [effect])
  assert.deepEqual(
    made.model.calls[0]?.prompt.map(({ role }) => role),
    ['system', 'user'],
  )
  assert.equal(effect.messages.length, 1)
})

test('[C-14] a permission filter denies one call and a tool filter changes another', async () => {
  const filters = defineMiddleware({
    name: 'filters',
    permit: async (request, next) =>
      request.type === 'call' && request.call.tool === 'act'
        ? { type: 'deny', reason: 'not here' }
        : next(request),
    tool: (call, next) => next({ ...call, input: { a: 2 } }),
  })
  const inputs: Json[] = []
  const add = tool('add', (input) => inputs.push({ a: Number(input['a']) }))
  const act = tool('act', () => assert.fail('it was denied'))
  const made = worldOf([filters()], [], { tools: [add, act] })
  const seen = only(await seenIn(made, [callTools([['add', { a: 1 }], ['act']])]))
  assert.ok(seen.type === 'tools-called')
  assert.deepEqual(seen.outcomes[1], { type: 'denied', reason: 'not here' })
  assert.deepEqual(inputs, [{ a: 2 }])
})
