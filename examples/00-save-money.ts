// Saves money on a real call: gpt-5 is asked only if the answer of gpt-5-nano fails its check.
import { createDecider } from 'echelon'

const decider = await createDecider({
  small: 'openai/gpt-5-nano',
  big: 'openai/gpt-5',
  settings: { budget: { max_cost_usd: 0.1 } },
})
const result = await decider.runCase('A jacket costs $89.90 and is 15% off. What do two cost?')

console.log(result.answer, result.checked)
for (const { model, llm_calls, cost } of result.rungs) console.log(model, llm_calls, cost)
