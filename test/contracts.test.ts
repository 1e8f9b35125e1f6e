import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createRedactor } from '../packages/echelon/src/core/redaction/redaction.ts'
import { seededRandom } from '../packages/echelon/src/core/value/random.ts'
import { builtInMiddleware } from '../packages/echelon/src/middleware/built-in.ts'
import { createRegistry, standardProviders } from '../packages/echelon/src/providers/registry.ts'
import { offline } from '../packages/offline/src/index.ts'
import { openaiCompatible } from '../packages/echelon/src/providers/openai-compatible.ts'
import { openaiProvider } from '../packages/echelon/src/providers/openai.ts'
import { MemoryStates } from '../packages/echelon/src/runtime/memory-states.ts'
import { openRecords } from '@echelon/telemetry'
import { middlewareContract } from '../packages/echelon/src/testing/contract/middleware-contract.ts'
import { modelContract } from '../packages/echelon/src/testing/contract/model-contract.ts'
import { modelSourceContract } from '../packages/echelon/src/testing/contract/model-source-contract.ts'
import { providerContract } from '../packages/echelon/src/testing/contract/provider-contract.ts'
import { recorderContract } from '../packages/echelon/src/testing/contract/recorder-contract.ts'
import { redactorContract } from '../packages/echelon/src/testing/contract/redactor-contract.ts'
import { startModelServer } from '../packages/echelon/src/testing/local-model-server.ts'
import { sharedStatesContract } from '../packages/echelon/src/testing/contract/shared-states-contract.ts'
import { toolContract } from '../packages/echelon/src/testing/contract/tool-contract.ts'
import { standardTools } from '@echelon/tools'
import { apiError } from '../packages/echelon/src/testing/scripted-model.ts'

const HOME = mkdtempSync(join(tmpdir(), 'contracts-'))
after(() => rmSync(HOME, { recursive: true, force: true }))

for (const { name, holds } of sharedStatesContract(() => new MemoryStates())) {
  test(`[C-26] shared states of one process: ${name}`, holds)
}

for (const middleware of builtInMiddleware()) {
  for (const { name, holds } of middlewareContract(() => middleware)) {
    test(`[C-26] the middleware ${middleware.name}: ${name}`, holds)
  }
}

for (const { name, holds } of providerContract(() => offline, {
  model: 'small',
  unknown: 'none',
})) {
  test(`[C-26] the provider offline: ${name}`, holds)
}
for (const { name, holds } of modelContract(async () => (await offline.load('big', {})).model)) {
  test(`[C-26] the model offline/big: ${name}`, holds)
}

const KEY = ['sk', 'test', Math.floor(seededRandom(7)() * 1e12)].join('-')
const openai = {
  model: 'gpt-5-nano',
  settings: { apiKey: KEY },
  withoutKey: {},
  errors: [apiError(429, { code: 'insufficient_quota' })],
}
for (const { name, holds } of providerContract(() => openaiProvider(), openai)) {
  test(`[C-26] the provider openai: ${name}`, holds)
}

const server = await startModelServer(
  Array.from({ length: 12 }, () => ({ type: 'reply', text: ['hel', 'lo'] }) as const),
)
after(async () => await server.close())
const local = async () =>
  (await openaiCompatible.load('m', { baseUrl: server.baseUrl, api: 'chat' })).model
for (const { name, holds } of modelContract(local)) {
  test(`[C-26] a model of a server: ${name}`, holds)
}

const standard = { model: 'offline/small', unknown: 'offline/none' }
for (const { name, holds } of modelSourceContract(
  () => createRegistry(standardProviders),
  standard,
)) {
  test(`[C-26] the standard registry: ${name}`, holds)
}

const INPUTS: Readonly<Record<string, object>> = {
  calculator: { expr: '15 * 23' },
  calendar: { query: '45 days after March 3, 2024', today: '2025-09-08' },
  data_fetch_stock: { ticker: 'AAPL', n: 3 },
  numeric_analysis: {
    series: [
      { date: '2025-09-05', close: 1 },
      { date: '2025-09-08', close: 2 },
    ],
  },
  plotter: {
    series: [
      { date: '2025-09-05', close: 1 },
      { date: '2025-09-08', close: 2 },
    ],
    ma7: [null, null],
  },
}
for (const tool of await standardTools()) {
  const input: {} = INPUTS[tool.name] ?? {}
  for (const { name, holds } of toolContract(() => tool, {
    input: JSON.parse(JSON.stringify(input)),
  })) {
    test(`[C-26] the tool ${tool.name}: ${name}`, holds)
  }
}

let nth = 0
const records = () => {
  const folder = join(HOME, `records-${nth++}`)
  const opened = openRecords({ folder })
  return { recorder: opened, kept: () => readFileSync(join(folder, 'audit.jsonl'), 'utf8') }
}
for (const { name, holds } of recorderContract(records)) {
  test(`[C-26] the records: ${name}`, holds)
}

const hides = [
  ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_'),
  ['ada', 'example.com'].join('@'),
]
for (const { name, holds } of redactorContract(() => createRedactor(), { hides })) {
  test(`[C-26] the redactor: ${name}`, holds)
}

test('[C-26] each tool that comes with Echelon was tried with an input', async () => {
  assert.deepEqual(
    (await standardTools()).map(({ name }) => name).toSorted(),
    Object.keys(INPUTS).toSorted(),
  )
})
