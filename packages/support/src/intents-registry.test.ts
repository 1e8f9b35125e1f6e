import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Intent, IntentConstraints } from './intent.ts'
import { IntentsRegistry } from './intents-registry.ts'
import type { IntentContext } from './interaction.ts'

const intent = (id: string, constraints: Partial<IntentConstraints> = {}): Intent => ({
  id,
  description: id,
  requiredParams: [],
  optionalParams: [],
  params: {},
  tool: id,
  tools: [],
  examples: [],
  confirm: false,
  constraints: { channels: [], rollout: 100, minTier: null, ...constraints },
  wording: { pre: '', post: '', postByStatus: {}, confirm: '' },
})

const registry = (...intents: readonly Intent[]): IntentsRegistry =>
  new IntentsRegistry({ intents, tiers: ['standard', 'plus', 'premium'], redactedParams: [] })

const CONTEXT: IntentContext = { channel: 'chat', customerId: 'C-001', customerTier: 'plus' }
const idsOf = (
  registry: IntentsRegistry,
  context: Partial<IntentContext> = {},
): readonly string[] => registry.getEligible({ ...CONTEXT, ...context }).map(({ id }) => id)

suite('[S-8] an intent is offered', () => {
  test('in its channels, in the order of the file', () => {
    const all = registry(
      intent('anywhere'),
      intent('chat', { channels: ['chat', 'web'] }),
      intent('mail', { channels: ['mail'] }),
    )
    assert.deepEqual(idsOf(all), ['anywhere', 'chat'])
    assert.deepEqual(idsOf(all, { channel: 'mail' }), ['anywhere', 'mail'])
    assert.deepEqual(idsOf(all, { channel: 'Chat' }), ['anywhere'])
  })

  test('from its tier upward; an unknown tier is below all others', () => {
    const all = registry(
      intent('all'),
      intent('standard', { minTier: 'standard' }),
      intent('plus', { minTier: 'plus' }),
      intent('premium', { minTier: 'premium' }),
    )
    assert.deepEqual(idsOf(all), ['all', 'standard', 'plus'])
    assert.deepEqual(idsOf(all, { customerTier: 'premium' }), [
      'all',
      'standard',
      'plus',
      'premium',
    ])
    assert.deepEqual(idsOf(all, { customerTier: 'emperor' }), ['all'])
    assert.deepEqual(idsOf(all, { customerTier: null }), ['all'])
  })

  test('to about its rollout percentage of customers, always the same ones', () => {
    const customers = Array.from({ length: 10_000 }, (_, number) => `C-${number}`)
    for (const rollout of [1, 10, 25, 50, 90]) {
      const offered = (id: string): readonly string[] =>
        customers.filter(
          (customerId) => idsOf(registry(intent(id, { rollout })), { customerId }).length > 0,
        )
      const [some, again] = [offered('refund'), offered('refund')]
      assert.deepEqual(again, some)
      // Four times the standard deviation of that many draws.
      const slack = 4 * Math.sqrt((rollout / 100) * (1 - rollout / 100) * customers.length)
      assert.ok(Math.abs(some.length - (rollout / 100) * customers.length) < slack, `${rollout} %`)
      // Another intent selects other customers, so that no customer tries everything new.
      assert.notDeepEqual(offered('cancel'), some)
    }
  })

  test('still to customers who had it at a lower percentage', () => {
    const offered = (rollout: number): readonly string[] =>
      Array.from({ length: 500 }, (_, number) => `C-${number}`).filter(
        (customerId) => idsOf(registry(intent('refund', { rollout })), { customerId }).length > 0,
      )
    const more = new Set(offered(60))
    assert.ok(offered(30).every((customer) => more.has(customer)))
  })

  test('to no customer at 0, to all at 100, and to unknown customers only then', () => {
    for (const customerId of ['C-001', 'C-002', null]) {
      assert.deepEqual(idsOf(registry(intent('none', { rollout: 0 })), { customerId }), [])
      assert.deepEqual(idsOf(registry(intent('all')), { customerId }), ['all'])
    }
    assert.deepEqual(idsOf(registry(intent('most', { rollout: 99 })), { customerId: null }), [])
  })
})
