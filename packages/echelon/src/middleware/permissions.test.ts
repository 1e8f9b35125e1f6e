import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Verdict } from '../core/agent/permission.ts'
import { testRun } from '../testing/middleware-run.ts'
import { type PermissionOptions, permissions } from './permissions.ts'

type Ask = Extract<Verdict, { readonly type: 'ask' }>

const WANTED: Ask = { type: 'ask', why: 'transfer runs only when it is approved', by: 'tool' }
const EACH_TIME: Ask = { ...WANTED, eachTime: true }

/** One conversation, in which calls of `transfer` are asked about. */
function conversation(options: PermissionOptions = {}) {
  const middleware = permissions(options)
  const run = testRun({ session: 's', caller: 'ann' })
  const call = { id: 'c', tool: 'transfer', input: { amount: 5 } }
  return async (within: Verdict): Promise<Verdict> => {
    const verdict = await middleware.permit?.({ type: 'call', call }, async () => within, run)
    assert.ok(verdict)
    return verdict
  }
}

const remember = (verdict: Verdict, choice: 'always' | 'never'): void => {
  assert.ok(verdict.type === 'ask' && verdict.remember !== undefined)
  verdict.remember(choice)
}

suite('a question that is asked each time', () => {
  test('is not remembered, without a rule or with one that asks', async () => {
    for (const rules of [[], [{ verdict: 'ask' }]] as const) {
      const verdict = await conversation({ rules })(EACH_TIME)
      assert.partialDeepStrictEqual(verdict, { type: 'ask', eachTime: true })
      assert.ok(!('remember' in verdict))
    }
  })

  test('is asked even if the user has always allowed the tool', async () => {
    for (const rules of [[], [{ verdict: 'ask' }]] as const) {
      const asked = conversation({ rules })
      remember(await asked(WANTED), 'always')
      assert.deepEqual(await asked(WANTED), { type: 'allow' })
      assert.partialDeepStrictEqual(await asked(EACH_TIME), { type: 'ask', eachTime: true })
    }
  })

  test('is denied once the user has answered never', async () => {
    const asked = conversation()
    remember(await asked(WANTED), 'never')
    assert.partialDeepStrictEqual(await asked(EACH_TIME), { type: 'deny' })
  })
})

test('a deny rule overrides what the user has allowed', async () => {
  let isClosed = false
  const asked = conversation({ rules: [{ verdict: 'deny', when: () => isClosed }] })
  remember(await asked(WANTED), 'always')
  isClosed = true
  assert.partialDeepStrictEqual(await asked(WANTED), { type: 'deny' })
})

test('a rule with a condition hides no tool before the call', async () => {
  const rules = [{ verdict: 'deny', tools: 'transfer', when: () => true }] as const
  const offer = { type: 'offer', tool: 'transfer' } as const
  const offered = async (options: PermissionOptions): Promise<Verdict | undefined> =>
    permissions(options).permit?.(offer, async () => ({ type: 'allow' }), testRun())
  assert.deepEqual(await offered({ rules }), { type: 'allow' })
  const always = [{ verdict: 'deny', tools: 'transfer' }] as const
  assert.partialDeepStrictEqual(await offered({ rules: always }), { type: 'deny' })
})
