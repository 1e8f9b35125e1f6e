import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateText, streamText } from 'ai'
import * as fc from 'fast-check'
import { createAgent } from '../../packages/echelon/src/chat.ts'
import { cascade } from '../../packages/echelon/src/middleware.ts'
import { cascadeModel, cascadeReport } from '../../packages/echelon/src/verify.ts'
import { Billed, boundModels, mayBeShown, verifier, type Wild, wild } from './wild-models.ts'

const RUNS = { numRuns: Number(process.env['CASCADE_RUNS'] ?? 300) }
/** Sums of prices are rounded. */
const ROUNDING = 1e-9

function assertWithin(billed: Billed, { limits }: Wild, spent: Billed): void {
  for (const counter of ['calls', 'tokens', 'money'] as const) {
    const limit = limits[counter]
    if (limit === undefined) continue
    assert.ok(spent[counter] <= limit + ROUNDING, `${counter}: ${spent[counter]} of ${limit}`)
    assert.ok(
      billed[counter] <= limit + ROUNDING,
      `billed ${counter}: ${billed[counter]} of ${limit}`,
    )
  }
}

/** Asks, and returns all that was shown, the text of a broken stream included. */
async function shownBy(model: ReturnType<typeof cascadeModel>, { streams }: Wild): Promise<string> {
  const asked = { model, prompt: 'Who are you?', maxRetries: 0 }
  if (!streams) {
    const { text, providerMetadata } = await generateText(asked)
    assert.ok(cascadeReport(providerMetadata) !== undefined)
    return text
  }
  let shown = ''
  const result = streamText({ ...asked, onError: () => undefined })
  for await (const delta of result.textStream) shown += delta
  return shown
}

test('a cascade of the AI SDK spends nothing over its limits, and leaks no draft', async () => {
  await fc.assert(
    fc.asyncProperty(wild, async (given) => {
      const { limits, unchecked, atOnce, rounds } = given
      const billed = new Billed()
      const model = cascadeModel(boundModels(given, billed), {
        verify: verifier,
        accept: 0.8,
        unchecked,
        limits,
      })
      for (let round = 0; round < rounds; round++) {
        const asked = await Promise.allSettled(
          Array.from({ length: atOnce }, () => shownBy(model, given)),
        )
        for (const one of asked) {
          if (one.status === 'fulfilled') assert.ok(mayBeShown(one.value, given), one.value)
        }
      }
      assertWithin(billed, given, model.spent)
    }),
    RUNS,
  )
})

test('the cascade of a chat agent spends nothing over its limits, and leaks no draft', async () => {
  await fc.assert(
    fc.asyncProperty(wild, fc.constantFrom('accepted', 'draft'), async (given, show) => {
      const billed = new Billed()
      const { limits, unchecked } = given
      const models = boundModels(given, billed)
      const [model] = models
      assert.ok(model !== undefined)
      const agent = createAgent({
        model,
        use: [cascade(models, { verify: verifier, accept: 0.8, unchecked, show })],
        limits,
        errorHandling: { retries: 0 },
      })
      const run = agent.run('Who are you?')
      let shown = ''
      const seen: string[] = []
      for await (const event of given.streams ? run : []) {
        if (event.type === 'text-delta') shown += event.delta
        if (event.type === 'text-drop') seen.push(shown)
        if (event.type === 'text-drop') shown = ''
      }
      const { text } = await run.outcome
      assert.ok(mayBeShown(text, given), text)
      if (given.streams) assert.equal(shown, text)
      if (show === 'accepted') for (const draft of seen) assert.ok(mayBeShown(draft, given), draft)
      const { spent } = run
      assertWithin(billed, given, {
        calls: spent['calls.main'] ?? 0,
        tokens: spent['tokens'] ?? 0,
        money: spent['money'] ?? 0,
      })
    }),
    RUNS,
  )
})
