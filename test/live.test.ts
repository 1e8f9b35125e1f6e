import assert from 'node:assert/strict'
import test from 'node:test'
import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import { createDecider } from 'echelon'
import type { BoundModel } from '../packages/echelon/src/core/model/model.ts'
import { type Message, userMessage } from '../packages/echelon/src/core/message/thread.ts'
import { createRegistry, standardProviders } from '../packages/echelon/src/providers.ts'
import { type ModelAnswer, readStream } from '../packages/echelon/src/runtime/model/model-answer.ts'
import { toProblem } from '../packages/echelon/src/runtime/model/provider-problem.ts'

/**
 * Real models, if `ECHELON_LIVE=1` and a key are set; each test costs well below a cent. Otherwise they
 * are skipped, with what is missing.
 */
const LIVE = [
  ['OPENAI_API_KEY', 'openai', 'openai/gpt-5-nano', 'openai/gpt-5-mini'],
  ['ANTHROPIC_API_KEY', 'anthropic', 'anthropic/claude-haiku-4-5', 'anthropic/claude-sonnet-4-5'],
  ['GOOGLE_API_KEY', 'google', 'google/gemini-2.5-flash-lite', 'google/gemini-2.5-flash'],
] as const

const isAsked = process.env['ECHELON_LIVE'] === '1'
const hasKey = (variable: string): boolean => (process.env[variable] ?? '') !== ''

const reasonToSkip = (...variables: readonly string[]): string | false => {
  if (!isAsked) return 'ECHELON_LIVE is not 1'
  const missing = variables.filter((variable) => !hasKey(variable))
  return missing.length > 0 && `${missing.join(' and ')} is not set`
}

const registry = createRegistry(standardProviders)
const load = async (name: string, variable: string): Promise<BoundModel> => {
  const [key = ''] = name.split('/')
  const baseUrl = process.env[`${key.toUpperCase()}_BASE_URL`] ?? ''
  return await registry.resolve(name, { [key]: { apiKey: process.env[variable] ?? '', baseUrl } })
}

const WEATHER: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'weather',
  description: 'The weather in a city, now',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}
const QUESTION = userMessage('What is the weather in Seattle? Use the tool, then say it in a word.')

async function ask({ model }: BoundModel, prompt: Message[], heard: string[] = []) {
  const { stream } = await model.doStream({ prompt, tools: [WEATHER], maxOutputTokens: 2000 })
  return await readStream(stream, (delta) => heard.push(delta))
}

/** The turn so far, with an answer that calls the tool and the tool's result. */
function continued(answer: ModelAnswer): Message[] {
  const { calls, text, content } = answer
  const [call] = calls
  assert.ok(call !== undefined, `no tool was called: ${text}`)
  const { id: toolCallId, tool: toolName, input } = call
  const plain = [{ type: 'tool-call', toolCallId, toolName, input }] as const
  const output = { type: 'text', value: 'It is raining.' } as const
  return [
    QUESTION,
    { role: 'assistant', content: content ?? [...plain] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] },
  ]
}

for (const [variable, provider, small, big] of LIVE) {
  const skip = reasonToSkip(variable)

  test(`[C-16] live: ${small} plans, and its cost is known`, { skip }, async () => {
    const decider = await createDecider({
      small,
      big,
      providers: { [provider]: { apiKey: process.env[variable] ?? '' } },
      settings: { budget: { max_cost_usd: 0.02 } },
    })
    const result = await decider.runCase('What is 15 * 23?')
    assert.deepEqual([result.answer, result.verified], ['345', true], result.explanation)
    assert.ok(result.cost !== null && result.cost > 0 && result.cost < 0.02)
    assert.ok(result.token_usage.total_tokens > 0)
  })

  test(
    `[C-16] live: ${small} streams, calls a tool and receives its result`,
    { skip },
    async () => {
      const model = await load(small, variable)
      const first = await ask(model, [QUESTION])
      const heard: string[] = []
      const second = await ask(model, continued(first), heard)
      assert.match(second.text, /rain/i)
      assert.equal(heard.join(''), second.text)
      assert.ok(second.usage !== undefined && second.usage.output > 0)
    },
  )

  test(`[C-16] live: a wrong key for ${provider} is reported as such`, { skip }, async () => {
    const wrong = { [provider]: { apiKey: 'sk-this-is-no-key' } }
    const { model, normalizeError } = await registry.resolve(small, wrong)
    const call = async (): Promise<unknown> => await model.doGenerate({ prompt: [QUESTION] })
    const error: unknown = await call().catch((reason: unknown) => reason)
    assert.equal(toProblem(error, 1, normalizeError).code, 'auth')
  })
}

for (const [index, [variable, , from]] of LIVE.entries()) {
  const [other, , to] = LIVE[(index + 1) % LIVE.length] ?? LIVE[0]
  const skip = reasonToSkip(variable, other)

  test(`[C-16] live: ${to} continues where ${from} began`, { skip }, async () => {
    const first = await ask(await load(from, variable), [QUESTION])
    const second = await ask(await load(to, other), continued(first))
    assert.match(second.text, /rain/i)
  })
}
