import { systemClock, systemIds, systemTimeZone, sha256 } from 'echelon/internal/platform'
import { summarising } from 'echelon/internal/middleware'
import type { ArtifactStore } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import { loadIntents } from '../defaults/intents-file.ts'
import { JSONDataSource } from '../defaults/json-data-source.ts'
import { LocalExecutor } from '../defaults/local-executor.ts'
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
  reader: ({ config }) => {
    const {
      intents,
      outOfScope,
      questions = [],
      ambiguous = [],
      topics = [],
      beyond = [],
      idle = [],
      followUps = {},
      replies = [],
      models,
    } = config
    let reader: Reader | undefined
    // Trained with the first message that it reads.
    return (text, context) =>
      (reader ??= trainReader(intents, outOfScope, {
        questions,
        ambiguous,
        topics,
        beyond,
        idle,
        followUps,
        replies,
        ...(models && { models }),
      }))(text, context)
  },
  knowledge: () => loadKnowledge(),
  shorten: (maxTokens) => summarising({ maxTokens, keepTurn: true }),
}
