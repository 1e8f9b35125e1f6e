import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EchelonError } from 'echelon'
import { memoryFolder } from '@echelon/assist'
import { loadConfig } from 'echelon/config'
import { knowledgeBase } from '@echelon/knowledge'
import { openKnowledge, isDatabaseFile } from '@echelon/store'
import { skillsFrom } from '@echelon/knowledge/skills'
import { JSONDataSource, loadIntents, loadPolicies } from '@echelon/support'
import { authFile } from '@echelon/mcp'
import { readKept } from '../../../cli/src/chat/session-file.ts'
import { readyServer } from '../../../cli/src/mcp/ready-server.ts'
import { readServers } from '../../../cli/src/mcp/servers-file.ts'
import { readCheckpoints } from '../../../cli/src/state/read-checkpoints.ts'
import { openShop } from '../../../cli/src/support/shop.ts'
import { checkWrittenFiles } from '../../../cli/src/written-files.ts'
import { readModelTape } from '../../../packages/echelon/src/providers/tape/tape.ts'
import { readRuns } from '../../../packages/echelon/src/replay/read-runs.ts'
import { openReadOnly } from '../../../packages/store/src/sqlite/file/read-only.ts'
import { linesOf } from '../../../packages/telemetry/src/lines.ts'
import { loadDocument } from '../../../packages/tools/src/openapi/load-document.ts'

/** Reads a file given by a project or a user. */
export interface FileReader {
  readonly name: string
  /** The file's path below its folder. */
  readonly at: string
  /** @param path absolute */
  readonly read: (path: string) => unknown
  /** May also resolve: invalid files are skipped. */
  readonly isLenient?: true
  /** Whether the caller turns the system error into a sentence. */
  readonly isRaw?: true
}

/** Every reader of such files; add new ones here. */
export const FILE_READERS: readonly FileReader[] = [
  { name: 'the configuration', at: 'config.yaml', read: (file) => loadConfig({ file }) },
  {
    name: '.env of a configuration',
    at: '.env',
    read(path) {
      const file = join(dirname(path), 'config.yaml')
      writeFileSync(file, '')
      return loadConfig({ file })
    },
    // Some tools keep a Python environment in a folder of this name.
    isLenient: true,
  },
  {
    name: 'the configuration of an environment',
    at: 'config.production.yaml',
    read(path) {
      const file = join(dirname(path), 'config.yaml')
      writeFileSync(file, '')
      return loadConfig({ file, env: { ECHELON_ENV: 'production' } })
    },
  },
  { name: 'MCP servers', at: '.mcp.json', read: readServers },
  {
    name: '.env of MCP servers',
    at: '.env',
    read: (path) =>
      readyServer(process, join(dirname(path), '.mcp.json'), 's', {
        command: 'node',
        env: { A: '${OF_NO_ENVIRONMENT}' },
      }),
  },
  {
    name: 'a script of an MCP server',
    at: 'server.js',
    read: (path) =>
      readyServer(process, join(dirname(path), '.mcp.json'), 's', {
        command: 'node',
        args: ['server.js'],
      }),
    // Anything but a file is ignored here; the program reports it itself.
    isLenient: true,
  },
  { name: 'tokens of MCP servers', at: 'tokens.json', read: (path) => authFile(path).read('a') },
  { name: 'policies', at: 'policies.yaml', read: loadPolicies },
  { name: 'intents', at: 'intents.yaml', read: loadIntents },
  { name: 'orders', at: 'orders.json', read: (path) => new JSONDataSource(path).getOrder('1') },
  { name: 'the orders of a shop', at: 'orders.json', read: openShop },
  { name: 'an OpenAPI document', at: 'api.yaml', read: loadDocument },
  { name: 'a skill', at: 'one/SKILL.md', read: (path) => skillsFrom(dirname(path)) },
  {
    name: 'a document',
    at: 'document.md',
    read: async (path) => {
      const base = knowledgeBase({ store: await openKnowledge(':memory:'), root: dirname(path) })
      const { failed } = await base.add(path)
      if (failed.length > 0) throw new EchelonError('INVALID_INPUT', failed[0]?.message ?? '')
    },
  },
  { name: 'a tape of models', at: 'tape.jsonl', read: readModelTape },
  {
    name: 'a recording',
    at: 'recording.jsonl',
    read: (path) => readRuns(path, () => undefined),
  },
  {
    name: 'a file to record to',
    at: 'recording.jsonl',
    read: (path) => checkWrittenFiles({ record: path }),
    isLenient: true,
  },
  { name: 'a conversation', at: 'session.json', read: readKept },
  { name: 'an exported journal', at: 'journal.jsonl', read: readCheckpoints },
  {
    name: 'the intent of an assistant',
    at: 'intent.json',
    read: (path) => memoryFolder(dirname(path)).intent(),
  },
  {
    name: 'whether a file is a store',
    at: 'orders.db',
    read: isDatabaseFile,
    isLenient: true,
  },
  { name: 'a store', at: 'echelon.db', read: (path) => openReadOnly(path).db.close() },
  {
    name: 'a record of runs',
    at: 'usage.jsonl',
    read: async (path) => {
      for await (const { bytes } of linesOf(path, 1000)) if (bytes.length > 0) break
    },
    isRaw: true,
  },
]
