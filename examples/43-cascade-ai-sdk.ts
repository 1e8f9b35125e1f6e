// A program on the AI SDK, made cheaper by one line: the small model answers where the evidence supports it.
import { generateText, isStepCount, tool } from 'ai'
import { asBound, type ScriptedAnswer, scriptedModel } from 'echelon/testing'
import { cascadeModel, cascadeReport, scored, silent, type Verifier } from 'echelon/verify'
import { z } from 'zod'

// Doubts an answer with a number that neither a tool nor the user gave.
const numbersAreTold: Verifier = {
  name: 'numbers',
  features: [],
  verify({ task, answer, made }) {
    if (answer.type !== 'text') return scored(0.9, 'it calls a tool')
    const numbers = answer.text.match(/\d+/g) ?? []
    if (numbers.length === 0) return silent('there is no number in the answer')
    const told = JSON.stringify([task.question, task.earlier, made])
    const unknown = numbers.filter((number) => !told.includes(number))
    return unknown.length === 0
      ? scored(0.95, 'each number was told')
      : scored(0.1, `${unknown.length} of its numbers come from nowhere`)
  },
}

// Scripted models stand for real ones, such as 'openai/gpt-5-nano' and 'openai/gpt-5'.
const priced = (id: string, dollars: number, script: readonly ScriptedAnswer[]) =>
  asBound(scriptedModel(script), id, ({ input, output }) => ((input + output) * dollars) / 1e6)
const asksFor = (order: string) => ({ toolCalls: [{ tool: 'order', input: { order } }] })
const small = priced('demo/small', 0.1, [
  asksFor('A-17'),
  'It weighs 12 kg.',
  asksFor('B-20'),
  'It weighs 30 kg.',
])
const big = priced('demo/big', 5, ['It weighs 8 kg.'])

// The one line. It was: const model = openai('gpt-5')
const model = cascadeModel([small, big], {
  verify: numbersAreTold,
  accept: 0.8,
  limits: { money: 0.1 },
})

const order = tool({
  description: 'looks up an order',
  inputSchema: z.object({ order: z.string() }),
  execute: ({ order }) => ({ order, kilograms: order === 'A-17' ? 12 : 8 }),
})
for (const id of ['A-17', 'B-20']) {
  const prompt = `How heavy is order ${id}?`
  const { text, finalStep } = await generateText({
    model,
    tools: { order },
    prompt,
    stopWhen: isStepCount(3),
  })
  const report = cascadeReport(finalStep.providerMetadata)
  console.log(text, report?.model, report?.status, report?.confidence)
}
console.log(`${model.spent.calls} calls for $${model.spent.money.toFixed(6)}`)
