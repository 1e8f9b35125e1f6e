import { readFileSync } from 'node:fs'
import { memoryText, readMemoryText } from '../../packages/assist/src/defaults/memory-text.ts'
import { DEFAULT_INTENT } from '../../packages/assist/src/intent/intent.ts'
import { parseIntents } from '../../packages/support/src/defaults/intents-file.ts'
import { withMessages } from '../../packages/support/src/defaults/more-messages.ts'
import { JSONDataSource } from '../../packages/support/src/defaults/json-data-source.ts'
import { parsePolicies } from '../../packages/support/src/defaults/policies-file.ts'
import { brokenLines } from '../../packages/echelon/src/config/dotenv-lines.ts'
import { loadConfig } from '../../packages/echelon/src/config.ts'
import { KNOWN } from '../../packages/echelon/src/compose/config.ts'
import { yamlSource } from '../../packages/echelon/src/config/yaml-source.ts'
import { isJson } from '../../packages/echelon/src/core/value/json.ts'
import { readDataset } from '../../packages/echelon/src/evals/dataset.ts'
import { readMetrics } from '../../packages/echelon/src/evals/metrics-file.ts'
import { readModelTape } from '../../packages/echelon/src/providers/tape/tape.ts'
import { readLine } from '../../packages/echelon/src/providers/tape/tape-line.ts'
import { readRuns } from '../../packages/echelon/src/replay/read-runs.ts'
import { chain, BEFORE_FIRST, lineOf } from '../../packages/echelon/src/audit/audit-entry.ts'
import { readAudit } from '../../packages/telemetry/src/audit-read.ts'
import { readUsage } from '../../packages/telemetry/src/usage-file.ts'
import { readKept } from '../../cli/src/chat/session-file.ts'
import { readServers } from '../../cli/src/mcp/servers-file.ts'
import { readCheckpoints } from '../../cli/src/state/read-checkpoints.ts'
import { openShop } from '../../cli/src/support/shop.ts'
import { checkWrittenFiles } from '../../cli/src/written-files.ts'
import { asLines, madeTraces } from '../../packages/echelon/src/testing/made-traces.ts'
import { readTraces } from '../../packages/echelon/src/tune/traces/read-traces.ts'
import { readCalibratedModel } from '../../packages/echelon/src/verify/calibrated/calibrated-model.ts'
import { json, lines, ofFile, ofJson, type Reader } from './reader.ts'

const fileOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const SMALL_INTENTS = (
  await parseIntents('intents: [{ id: pay, description: Pay, tool: pay }]', 'a.yaml')
).config

const ENTRY = chain(
  {
    ts: '2026-11-22T09:00:00Z',
    run_id: 'r',
    task_id: null,
    actor: 'user',
    action: 'run_started',
    details: { a: 1 },
  },
  BEFORE_FIRST,
)

const USAGE = {
  kind: 'usage',
  ts: '2026-11-22T09:00:00Z',
  run_id: 'r',
  mode: 'small_only',
  finish_reason: 'success',
  verified: true,
  seconds: 1.5,
  tool_calls: 1,
  act_steps: 1,
  rungs: [],
  total_tokens: 9,
  cost: 0,
}

const TAPE = lines(
  { kind: 'recording', version: 2, holds: 'models', about: null },
  { kind: 'model', name: 'small', id: 'a/b', provider: 'a', modelId: 'b' },
  { kind: 'price', model: 'a/b', input: 9, output: 2, usd: 0.01 },
  {
    kind: 'call',
    n: 1,
    model: 'a/b',
    stream: false,
    request: { prompt: [] },
    outcome: { type: 'failed', error: { $error: { message: 'no' } } },
  },
)
const RECORDING = lines(
  { kind: 'recording', version: 2, holds: 'runs', about: { models: {} } },
  { kind: 'time', at: 1 },
  { kind: 'event', key: 'a', at: 2 },
  { kind: 'tool', key: 'b', tool: 'add', input: { a: 1 } },
  { kind: 'act', act: 'cancel', run: 'r', at: 3 },
)

const ofYaml = async (text: string): Promise<unknown> =>
  yamlSource(KNOWN.all, { path: 'config.yaml', text, problem: null, isShared: false })

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

/** Readers of files on disk. */
export const FILES: readonly Reader[] = [
  {
    name: 'a configuration',
    of: ['packages/echelon/src/config/yaml-source.ts'],
    read: ofYaml,
    samples: [fileOf('config.yaml.example'), 'models:\n  small: offline/small\n'],
  },
  {
    name: 'a configuration, put together',
    of: ['packages/echelon/src/config/', 'packages/echelon/src/core/setting/setting-tree.ts'],
    read: ofFile('config.yaml', (file) => loadConfig({ file, env: {} })),
    samples: ['models:\n  small: offline/small\nlimits:\n  seconds: 60\n'],
  },
  {
    name: 'a file of variables',
    of: ['packages/echelon/src/config/dotenv-lines.ts', 'packages/echelon/src/config/sources.ts'],
    read: brokenLines,
    samples: ['A=b\n# c\nexport D="e\nf"\nG=\'h\' # i\n'],
  },
  {
    name: 'variables as they are set',
    of: ['packages/echelon/src/config/variables.ts', 'packages/echelon/src/config/providers.ts'],
    read: (text) =>
      loadConfig({
        file: '/dev/null',
        env: { ECHELON_PROVIDERS_OPENAI_ADDITIONAL: text, ECHELON_LIMITS_SECONDS: text },
      }),
    samples: ['{"organization":"org-1"}', '60'],
  },
  {
    name: 'a file of policies',
    of: [
      'packages/support/src/defaults/policies-file.ts',
      'packages/support/src/defaults/policy-document.ts',
      'packages/support/src/defaults/policy-conditions.ts',
    ],
    read: (text) => parsePolicies(text, 'a.yaml'),
    samples: [
      'tools: [a]\nrules:\n  - id: b\n    require: order != null && order.amount <= 100\n    because: no\n',
    ],
  },
  {
    name: 'a file of intents',
    of: [
      'packages/support/src/defaults/intents-file.ts',
      'packages/support/src/defaults/intents-check.ts',
    ],
    read: (text) => parseIntents(text, 'a.yaml'),
    samples: [fileOf('packages/support/config/intents.yaml').slice(0, 4000), 'intents: []\n'],
  },
  {
    name: 'a file of messages',
    of: ['packages/support/src/defaults/more-messages.ts'],
    read: (text) => withMessages(SMALL_INTENTS, text, 'a.tsv'),
    samples: ['pay\tpay it\nidle\tnice day\n', '?Shop: Hours\twhen are you open\n'],
  },
  {
    name: "the assistant's intent",
    of: ['packages/assist/src/defaults/', 'packages/assist/src/sense/pattern-problem.ts'],
    read: (text) => readMemoryText('intent', text, 'intent.json'),
    samples: isJson(DEFAULT_INTENT) ? [memoryText(DEFAULT_INTENT)] : [],
  },
  {
    name: 'a data set of cases',
    of: ['packages/echelon/src/evals/dataset.ts'],
    read: readDataset,
    samples: [fileOf('datasets/decide.json').slice(0, 3000), ...json([{ id: 'a', input: 'b' }])],
  },
  {
    name: 'figures of an evaluation',
    of: ['packages/echelon/src/evals/metrics-file.ts'],
    read: (text) => readMetrics(text, 'metrics.json'),
    samples: [fileOf('datasets/decide.metrics.json').slice(0, 2000)],
  },
  {
    name: 'traces of recorded answers',
    of: ['packages/echelon/src/tune/traces/', 'cli/src/tune/read-tasks.ts'],
    read: (text) => Array.fromAsync(readTraces(piecesOf(text), 'traces.jsonl')),
    samples: [asLines(madeTraces({ count: 2 }))],
  },
  {
    name: 'a fitted score',
    of: ['packages/echelon/src/verify/calibrated/calibrated-model.ts'],
    read: ofJson(readCalibratedModel),
    samples: json({
      version: 1,
      features: { 'steps.wrong': { weight: -1, mean: 0.2, scale: 0.4 } },
      offset: 0.5,
      trainedOn: { cases: 100, date: '2026-11-24', right: 0.6, accuracy: 0.7, brier: 0.2 },
    }),
  },
  {
    name: 'orders and customers',
    of: [
      'packages/support/src/defaults/record-file.ts',
      'packages/support/src/defaults/json-data-source.ts',
      'cli/src/support/shop.ts',
    ],
    read: ofFile('orders.json', async (orders) => {
      const source = new JSONDataSource({ orders, customers: orders })
      await source.getOrder('O-1').catch(onlyOurs)
      await (await openShop(orders)).close()
    }),
    samples: [...json({ 'O-1': { order_id: 'O-1', customer_id: 'C-1', status: 'shipped' } })],
  },
  {
    name: 'a tape of models',
    of: ['packages/echelon/src/platform/recording/', 'packages/echelon/src/providers/tape/'],
    read: ofFile('tape.jsonl', readModelTape),
    samples: TAPE,
  },
  {
    name: 'a recording of runs',
    of: [
      'packages/echelon/src/platform/recording/',
      'packages/echelon/src/replay/read-runs.ts',
      'packages/echelon/src/replay/line.ts',
    ],
    read: ofFile('run.jsonl', (path) => readRuns(path, readLine)),
    samples: [...RECORDING, ...TAPE],
  },
  {
    name: 'an audit log',
    of: [
      'packages/telemetry/src/audit-read.ts',
      'packages/echelon/src/audit/audit-entry.ts',
      'packages/telemetry/src/lines.ts',
    ],
    read: ofFile('audit.jsonl', (path) => readAudit(path)),
    samples: [`${lineOf(ENTRY)}\n`],
  },
  {
    name: 'a file of usage',
    of: ['packages/telemetry/src/usage-file.ts', 'packages/telemetry/src/usage-record.ts'],
    read: ofFile('usage.jsonl', readUsage),
    samples: lines(USAGE),
  },
  {
    name: 'a journal that was exported',
    of: ['cli/src/state/read-checkpoints.ts', 'cli/src/state/entry-schema.ts'],
    read: ofFile('journal.jsonl', readCheckpoints),
    samples: [fileOf('test/golden/journals/arithmetic.jsonl')],
  },
  {
    name: 'a conversation that was kept',
    of: ['cli/src/chat/session-file.ts'],
    read: ofFile('chat.json', readKept),
    samples: json({ kind: 'session', version: 1, agent: 'chat', messages: [], model: 'a/b' }),
  },
  {
    name: 'the servers of a project',
    of: ['cli/src/mcp/servers-file.ts', 'cli/src/mcp/json-fault.ts', 'cli/src/mcp/filled-in.ts'],
    read: ofFile('.mcp.json', readServers),
    samples: json({ mcpServers: { a: { command: 'node', args: ['b'], env: { C: '${D}' } } } }),
  },
  {
    name: 'a log that is to be appended to',
    of: ['cli/src/written-files.ts'],
    read: ofFile('run.log', (log) => checkWrittenFiles({ log })),
    samples: lines({ level: 'info', time: 'a', event: 'b', msg: 'c' }),
  },
]

const onlyOurs = (error: unknown): void => {
  if (!(error instanceof Error && 'code' in error)) throw error
}
