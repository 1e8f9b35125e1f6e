// The assistant's memory as three files that people edit; a custom non-goal works without code.
import { createAssistant, DEFAULT_INTENT, memoryFolder } from '@echelon/assist'
import { asBound, scriptedModel } from 'echelon/testing'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'echelon-'))

// Set by the user; writes to the intent by a run are refused.
const memory = memoryFolder(join(folder, 'memory'))
await memory.setIntent({
  ...DEFAULT_INTENT,
  non_goals: [...DEFAULT_INTENT.non_goals, 'talk of football'],
  stop_conditions: [...DEFAULT_INTENT.stop_conditions, 'bedtime'],
  patterns: {
    'talk of football': ['\\b(?:football|offside|world cup)\\b'],
    bedtime: ['\\b(?:bedtime|kids are asleep)\\b'],
  },
})

const executor = scriptedModel([
  'It is like an offside trap: wait until they move.',
  'What would a month at home show you?',
])
const assistant = createAssistant({ memory, executor: asBound(executor) })
const session = await assistant.openSession()
for (const said of ['Should I take the job in Berlin?', 'Oh, the kids are asleep.']) {
  const { text, outcome } = await assistant.run(said, { session }).result
  console.log(`${outcome}: ${text}`)
}
await session.end()
console.log(
  readdirSync(memory.path)
    .filter((name) => !name.startsWith('.'))
    .join(' '),
)

// An invalid file is reported with its line, and never overwritten.
writeFileSync(memory.intentFile, '{\n  "north_stars": "family"\n}\n')
await memory.intent().catch((error: unknown) => {
  const [first = ''] = String(error).split('\n')
  console.log(first.replace(memory.path, 'memory'))
})

rmSync(folder, { recursive: true })
