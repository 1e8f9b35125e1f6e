import { systemClock, systemIds, systemTimeZone, sha256 } from 'echelon/internal/platform'
import { summarising } from 'echelon/internal/middleware'
import type { ArtifactStore } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import { loadIntents } from '../defaults/intents-file.ts'
import { JSONDataSource } from '../defaults/json-data-source.ts'
import { LocalExecutor } from '../defaults/local-executor.ts'
import type { IntentsConfig } from '../intents-registry.ts'
import { InMemoryConversationMemory } from '../in-memory-conversation-memory.ts'
import { NullPolicyEngine } from '../policy/null-policy-engine.ts'
import type { DataSource } from '../primitives/data-source.ts'
import type { RouterOptions } from '../router-options.ts'
import type { RouterParts } from '../router-world.ts'
import { SupportRouter } from '../router.ts'
import { loadKnowledge } from '../defaults/knowledge-folder.ts'
import { trainReader } from '../understand/embedded-reader.ts'
import type { Reader } from '../understand/reader.ts'

/**
 * Answers customers' messages: classifies, plans, asks the policy engine, calls the tool, and words the answer,
 * over several turns. Each part can be replaced. Without options it answers from the sample orders, offline, and
 * its `NullPolicyEngine` allows everything. For real customers use `createSupportAgent`, which enforces who may do
 * what.
 *
 * `const response = await new AgentRouter().resolve({ text: "Where's order O-12345?" }, 'session-1')`
 */
export class AgentRouter extends SupportRouter {
  constructor(options: RouterOptions = {}) {
    super(options, PARTS)
  }
}

/** Tools of this agent answer with data: none of them makes files. */
const noArtifacts: ArtifactStore = {
  write: () =>
    Promise.reject(new EchelonError('INVALID_CONFIG', 'tools of a support agent make no files')),
}

const PARTS: RouterParts = {
  clock: systemClock,
  ids: systemIds,
  artifacts: noArtifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  memory: () => new InMemoryConversationMemory(),
  dataSource: () => new JSONDataSource(),
  policy: () => new NullPolicyEngine(),
  executor: (dataSource: DataSource) => new LocalExecutor(dataSource),
  intents: () => loadIntents(),
  reader: ({ config }) => readerOf(config),
  knowledge: () => loadKnowledge(),
  shorten: (maxTokens) => summarising({ maxTokens, keepTurn: true }),
}

/** Readers by the intents that they were trained on: agents with the same intents share one. */
const readers = new WeakMap<IntentsConfig, Reader>()

/** A reader that is trained with the first message that it reads. */
function readerOf(config: IntentsConfig): Reader {
  const { intents, outOfScope, ...further } = config
  const reader: Reader = (text, context) => {
    const trained = readers.get(config) ?? trainReader(intents, outOfScope, further)
    readers.set(config, trained)
    return trained(text, context)
  }
  return reader
}
