// Asks gpt-5 only if the answer of gpt-5-nano is not supported; needs OPENAI_API_KEY.
import { generateText } from 'ai'
import { cascadeModel, cascadeReport, format, steps } from 'echelon/verify'

const model = cascadeModel(['openai/gpt-5-nano', 'openai/gpt-5'], {
  verify: [format, steps],
  accept: 0.6,
  wanted: { kind: 'number' },
  limits: { money: 0.1 },
})
const { text, finalStep } = await generateText({
  model,
  system: 'Write out each calculation. End with "Answer: " and the number.',
  prompt: 'A box holds 12 pens at $3 each. What do 7 boxes cost, less a $20 voucher?',
})
const report = cascadeReport(finalStep.providerMetadata)
console.log(text, report?.model, report?.status, report?.confidence, model.spent.money)
