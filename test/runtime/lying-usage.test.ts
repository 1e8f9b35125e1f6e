import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4, LanguageModelV4Usage } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import type { Amounts } from '../../packages/echelon/src/core/agent/budget.ts'
import type { BoundModel, Price } from '../../packages/echelon/src/core/model/model.ts'
import type { Observation } from '../../packages/echelon/src/core/agent/observation.ts'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import { startRun } from '../../packages/echelon/src/runtime/run.ts'
import { generate, performing, TextJournal, world } from './kit.ts'

/** Anything that a provider's package may pass on from an unchecked report. */
type Report = unknown

const TEXT = 'fine words'

/** Treats any value as a report, as a package does. */
const isUsage = (report: unknown): report is LanguageModelV4Usage => typeof report !== 'function'

/** A model that answers at once and reports the given usage. */
function lying(reports: readonly Report[], text = TEXT): LanguageModelV4 {
  let place = 0
  const next = (): LanguageModelV4Usage => {
    const usage: unknown = reports[place++ % reports.length]
    assert.ok(isUsage(usage))
    return usage
  }
  const finishReason = { unified: 'stop', raw: 'stop' } as const
  return {
    specificationVersion: 'v4',
    provider: 'lying',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: 'text', text }],
      finishReason,
      usage: next(),
      warnings: [],
    }),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] } as const,
        { type: 'text-start', id: '0' } as const,
        { type: 'text-delta', id: '0', delta: text } as const,
        { type: 'text-end', id: '0' } as const,
        { type: 'finish', finishReason, usage: next() } as const,
      ]),
    }),
  }
}

const PRICE: Price = ({ input, output }) => (input * 2 + output * 10) / 1e6

interface Ran {
  readonly spent: Amounts
  readonly seen: readonly Observation[]
  readonly warnings: readonly string[]
}

async function ran(
  reports: readonly Report[],
  {
    limits = {},
    calls = 1,
    text = TEXT,
    price = PRICE,
    streams = false,
    more = {},
  }: {
    readonly limits?: Amounts
    readonly calls?: number
    readonly text?: string
    readonly price?: Price
    readonly streams?: boolean
    readonly more?: Partial<BoundModel>
  } = {},
): Promise<Ran> {
  const small: BoundModel = { id: 'lying/m', model: lying(reports, text), price, ...more }
  const { services, events } = world({ models: { small }, limits })
  const effect = generate({ maxTokens: 100, ...(streams && { show: 'user' as const }) })
  const run = startRun(performing(Array.from({ length: calls }, () => effect)), null, services)
  const { result } = await run.result
  const warnings = events.flatMap((event) =>
    event.type === 'model-warning' ? [event.message] : [],
  )
  return { spent: run.spent, seen: result, warnings }
}

const report = (input: unknown, output: unknown): Report => ({
  inputTokens: { total: input },
  outputTokens: { total: output },
})

/** Lies that would change the ledger if they were accepted. */
const LIES: Readonly<Record<string, Report>> = {
  'negative input': report(-1000, 5),
  'negative output': report(10, -1000),
  'no input for a prompt': report(0, 5),
  'no output for a text': report(10, 0),
  'half a token': report(10.5, 5),
  'a text': report('10', 5),
  NaN: report(Number.NaN, 5),
  'an endless number': report(10, Infinity),
  'more output than was allowed or came': report(10, 1000),
  'more input than was sent': report(1_000_000, 5),
  'nothing at all': undefined,
  null: report(null, null),
}

describe('implausible usage', () => {
  for (const [name, lie] of Object.entries(LIES)) {
    test(`${name}: the worst case is charged with a warning, streamed or not`, async () => {
      for (const streams of [false, true]) {
        const honest = await ran([report(10, 5)], { limits: { money: 1, tokens: 9000 }, streams })
        const { spent, seen } = await ran([lie], { limits: { money: 1, tokens: 9000 }, streams })
        const [answer] = seen
        assert.ok(answer?.type === 'generated', JSON.stringify(answer))
        assert.equal(answer.cost, null)
        assert.ok(answer.assumed !== undefined)
        assert.equal(spent['assumed.small'], 1)
        assert.equal(honest.spent['assumed.small'], undefined)
        // The prompt's bytes, and the whole output limit.
        assert.ok((spent['tokens'] ?? 0) > 100 && (spent['tokens'] ?? 0) < 400)
        assert.ok((spent['money'] ?? 0) >= 100 * 10e-6)
        assert.equal(spent['money.small'], spent['money'])
      }
    })
  }

  test('a warning shows the reported value', async () => {
    const { warnings } = await ran([report(-3, 5)])
    assert.deepEqual(warnings, [
      'the usage that lying/m reported cannot be true (input is -3); it is charged at the worst case that a limit reserved, or its cost is unknown where none was set',
    ])
  })

  test('25 calls with negative usage do not exceed a budget for a few', async () => {
    const { spent, seen } = await ran([report(-100_000, -100_000)], {
      calls: 25,
      limits: { tokens: 1000 },
    })
    assert.ok((spent['calls.small'] ?? 0) < 10)
    assert.equal(seen.at(-1)?.type, 'refused')
  })

  test('without a limit its cost is unknown and not 0', async () => {
    const { spent } = await ran([report(-5, -5)])
    assert.deepEqual(
      [spent['unpriced.small'], spent['assumed.small'], spent['money']],
      [1, 1, undefined],
    )
  })

  test('an invalid price counts as unknown, so that a money limit refuses the call', async () => {
    for (const wrong of [Number.NaN, -1, Infinity]) {
      const { seen } = await ran([report(10, 5)], { price: () => wrong, limits: { money: 1 } })
      assert.ok(seen[0]?.type === 'refused')
      assert.equal(seen[0].cause, 'unknown-price')
      const free = await ran([report(10, 5)], { price: () => wrong })
      assert.equal(free.spent['unpriced.small'], 1)
      assert.equal(free.spent['money'], undefined)
    }
  })

  test('too low for English is not relied on in the reservation of the next call', async () => {
    const journal = new TextJournal()
    const said = 'words of English, as many as an answer has. '.repeat(20)
    const first = Thread.of([userMessage(said)])
    const second = first.add(userMessage('and more'))
    const small: BoundModel = { id: 'lying/m', model: lying([report(1, 5)]), price: PRICE }
    const { services } = world({ models: { small }, limits: { tokens: 9000 }, journal })
    const steps = [first, second].map((messages) => generate({ messages, maxTokens: 100 }))
    await startRun(performing(steps), null, services).result
    const holds = journal
      .read()
      .flatMap((entry) => (entry.type === 'opened' ? [entry.hold['tokens'] ?? 0] : []))
    assert.equal(holds.length, 2)
    assert.ok((holds[1] ?? 0) > first.bytes / 4 + 100)
    assert.ok((holds[1] ?? 0) < (holds[0] ?? 0))
  })

  test('a task of many calls may report more than one call could use', async () => {
    const { spent } = await ran([report(500_000, 90_000)], { more: { sumsCalls: true } })
    assert.deepEqual([spent['tokens'], spent['assumed.small']], [590_000, undefined])
  })

  test('output beyond the limit is accepted as far as the received bytes allow', async () => {
    const text = 'word '.repeat(2000)
    const { spent } = await ran([report(10, 2000)], { text })
    assert.deepEqual([spent['output.small'], spent['assumed.small']], [2000, undefined])
  })
})

const count = fc.oneof(
  fc.integer({ min: -50, max: 400 }),
  fc.double(),
  fc.constantFrom(null, undefined, '5', '', {}, [], true, 2 ** 53, -0, 1e300),
)
const usage = fc.oneof(
  fc.anything(),
  fc.record(
    {
      inputTokens: fc.record(
        { total: count, noCache: count, cacheRead: count, cacheWrite: count },
        { requiredKeys: ['total'] },
      ),
      outputTokens: fc.record(
        { total: count, text: count, reasoning: count },
        { requiredKeys: ['total'] },
      ),
      raw: fc.record({ total_tokens: count, totalTokenCount: count }, { requiredKeys: [] }),
    },
    { requiredKeys: ['inputTokens', 'outputTokens'] },
  ),
)

test('no usage report is charged below the plausible minimum or passes a limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(usage, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 120, max: 3000 }),
      fc.boolean(),
      async (reports, tokens, streams) => {
        const limits = { tokens, money: 0.02 }
        const { spent, seen } = await ran(reports, { limits, calls: 8, streams })
        const answered = seen.filter(({ type }) => type === 'generated').length
        for (const [counter, amount] of Object.entries(spent)) {
          assert.ok(Number.isFinite(amount) && amount >= 0, `${counter} is ${amount}`)
        }
        assert.ok((spent['tokens'] ?? 0) <= limits.tokens)
        assert.ok((spent['money'] ?? 0) <= limits.money)
        // One token in and one out.
        assert.ok((spent['tokens'] ?? 0) >= 2 * answered)
        assert.ok((spent['money'] ?? 0) >= answered * 12e-6 - 1e-12)
      },
    ),
  )
})
