import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareRun } from '../../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../../core/agent/permission.ts'
import { type TestRun, testRun } from '../../testing/middleware-run.ts'
import { compose } from '../compose.ts'
import { permissions } from '../permissions.ts'
import { shadow } from './shadow.ts'

const ALLOW: Verdict = { type: 'allow' }

const call = (tool: string, id = 'c1'): PermitRequest => ({
  type: 'call',
  call: { id, tool, input: {} },
})

/** The final verdict if the innermost middleware gives this one. */
function permit(
  middlewares: readonly Middleware[],
  request: PermitRequest,
  { run = testRun(), own = ALLOW }: { run?: MiddlewareRun; own?: Verdict } = {},
): Promise<Verdict> {
  const chain = compose(middlewares).permit
  assert.ok(chain !== undefined)
  return chain(request, () => Promise.resolve(own), run)
}

const stateOf = (run: TestRun): unknown => run.record()['echelon/shadow']

const policy = permissions({
  turn: ({ caller }) => (caller === undefined ? 'say who you are' : undefined),
  rules: [
    { name: 'no wiping', tools: 'wipe', verdict: 'deny', reason: 'nothing is wiped' },
    { tools: 'pay', verdict: 'ask' },
    { tools: 'read', verdict: 'allow' },
  ],
})

describe('[C-34] a policy in shadow mode', () => {
  test('decides about turns, offers and calls, counts by rule, and enforces nothing', async () => {
    const run = testRun()
    const middlewares = [shadow(policy)]
    for (const request of [
      { type: 'turn', agent: 'chat' },
      { type: 'offer', tool: 'wipe' },
      call('wipe'),
      call('wipe', 'c2'),
      call('pay', 'c3'),
      call('other', 'c4'),
    ] as const) {
      assert.deepEqual(await permit(middlewares, request, { run }), ALLOW)
    }
    assert.deepEqual(stateOf(run), {
      asked: 6,
      same: 1,
      failed: 0,
      rules: {
        turn: { allow: 0, ask: 0, deny: 1 },
        'no-wiping': { allow: 0, ask: 0, deny: 3 },
        'rule-2': { allow: 0, ask: 1, deny: 0 },
      },
    })
    assert.deepEqual(run.told[0], {
      middleware: 'shadow',
      event: 'would',
      data: {
        request: 'turn',
        rule: 'turn',
        would: 'deny',
        holds: 'allow',
        reason: 'say who you are',
      },
    })
    assert.equal(run.told.length, 5)
  })

  test('differs from an enforced policy by a single word', async () => {
    const denied = await permit([policy], call('wipe'))
    assert.equal(denied.type, 'deny')
    assert.deepEqual(await permit([shadow(policy)], call('wipe')), ALLOW)
  })

  test('also reports what it would relax, and changes nothing', async () => {
    const run = testRun()
    const own: Verdict = { type: 'ask', why: 'the tool wants it', by: 'tool' }
    assert.equal(await permit([shadow(policy)], call('read'), { run, own }), own)
    assert.deepEqual(run.told[0]?.data, {
      request: 'call',
      tool: 'read',
      call: 'c1',
      rule: 'read',
      would: 'allow',
      holds: 'ask',
    })
  })

  test('next to an enforced policy, reports only differences', async () => {
    const run = testRun()
    const middlewares = [
      shadow(policy),
      permissions({ rules: [{ tools: 'wipe', verdict: 'deny' }] }),
    ]
    assert.equal((await permit(middlewares, call('wipe'), { run })).type, 'deny')
    assert.deepEqual(run.told, [])
  })

  test('continues the counts of its session', async () => {
    const rules = { 'no-wiping': { allow: 0, ask: 0, deny: 2 } }
    const saved = { 'echelon/shadow': { asked: 7, same: 5, failed: 0, rules } }
    const run = testRun({ saved })
    await permit([shadow(policy)], call('wipe'), { run })
    assert.deepEqual(stateOf(run), {
      asked: 8,
      same: 5,
      failed: 0,
      rules: { 'no-wiping': { allow: 0, ask: 0, deny: 3 } },
    })
  })
})

describe('[C-34] a failing shadow policy does not affect the run', () => {
  const failing = (error: unknown): Middleware =>
    defineMiddleware({
      name: 'failing',
      permit: () => {
        throw error
      },
    })()

  for (const error of [new Error('oh'), new EchelonError('NOT_PERMITTED', 'oh')]) {
    test(`a policy that throws ${error.name}`, async () => {
      const run = testRun()
      assert.deepEqual(await permit([shadow(failing(error))], call('wipe'), { run }), ALLOW)
      assert.deepEqual(stateOf(run), { asked: 1, same: 0, failed: 1, rules: {} })
      assert.deepEqual(run.told, [
        {
          middleware: 'shadow',
          event: 'failed',
          data: { request: 'call', tool: 'wipe', call: 'c1', message: 'oh' },
        },
      ])
    })
  }

  test('a policy that never decides', async () => {
    const run = testRun()
    const hanging = defineMiddleware({
      name: 'hanging',
      permit: () => new Promise<never>(() => undefined),
    })()
    const holds = permit([shadow(hanging, { maxMs: 50 })], call('wipe'), { run })
    await run.clock.advance(0)
    await run.clock.advance(50)
    assert.deepEqual(await holds, ALLOW)
    assert.match(JSON.stringify(run.told), /it did not decide within 50 ms/)
  })

  test('the writes of a policy are visible only to itself', async () => {
    const run = testRun()
    const schema = guardedSchema<number>({ type: 'integer' }, (value) => typeof value === 'number')
    const seen: number[] = []
    const counting = (scope: 'run' | 'shared'): Middleware =>
      defineMiddleware({
        name: scope,
        state: { scope, version: 1, schema, initial: 0 },
        permit: (request, next, { state, update, emit }) => {
          seen.push(state)
          update((count) => count + 1)
          emit('counted')
          return next(request)
        },
      })()
    for (const scope of ['run', 'shared'] as const) {
      const middlewares = [shadow(counting(scope))]
      await permit(middlewares, call('a'), { run })
      await permit(middlewares, call('b'), { run })
    }
    assert.deepEqual(seen, [0, 1, 0, 1])
    assert.deepEqual(Object.keys(run.record()), ['echelon/shadow'])
    assert.equal(run.shared.get('app/shared'), undefined)
    assert.deepEqual(run.told, [])
  })
})

test('a middleware without a permit hook cannot be shadowed', () => {
  assert.throws(() => shadow(defineMiddleware({ name: 'none' })()), {
    code: 'INVALID_CONFIG',
    message: /none decides nothing/,
  })
  assert.throws(() => shadow(policy, { maxMs: -1 }), { code: 'INVALID_CONFIG' })
})
