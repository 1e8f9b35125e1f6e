// Records how a small and a big model answer the same questions, for `echelon tune`.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateText } from 'ai'
import { scriptedModel } from 'echelon/testing'

const tasks = [
  { id: 'pens', question: 'A box holds 12 pens. How many pens are in 4 boxes?', gold: 48 },
  { id: 'half', question: 'What is half of 90, minus 5?', gold: 40 },
]

// Scripted models stand in for real ones, such as openai('gpt-5-nano') and openai('gpt-5').
const models = [
  {
    name: 'demo/small',
    model: scriptedModel(['12 × 4 = 48. #### 48', '90 / 2 - 5 = 45. #### 45']),
  },
  { name: 'demo/big', model: scriptedModel(['#### 48', '90 / 2 = 45, 45 - 5 = 40. #### 40']) },
]

const rows = []
for (const { id, question, gold } of tasks) {
  const answers = []
  for (const { name, model } of models) {
    const started = performance.now()
    const { text, usage } = await generateText({ model, prompt: question })
    answers.push({
      model: name,
      text,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      latency_s: (performance.now() - started) / 1000,
    })
  }
  rows.push({ id, question, wanted: 'number', gold, answers })
}

const file = join(mkdtempSync(join(tmpdir(), 'traces-')), 'traces.jsonl')
writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
console.log(`${rows.length} tasks in ${file}`)
