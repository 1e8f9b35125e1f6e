import type { ArtifactStore } from 'echelon/internal/tool'
import type { Listener } from 'echelon/internal/agent'
import type { AnyLanguageModel, BoundModel } from 'echelon/providers'
import type { Clock, Ids, MemoryStore } from 'echelon/runtime'
import type { Tool } from 'echelon/chat'
import type { AssistFacts, AssistKnowledge } from './session/lookup-memory.ts'
import type { AssistStore } from './session/assist-session.ts'
import type { AssistSettings } from './assist-settings.ts'
import type { Reflect } from './executor.ts'
import type { ReadDraft, ReadUser } from './evaluation/finding.ts'

/** A model: by name (`provider/model`), ready to call, or an AI SDK model object. */
export type AssistModel = string | BoundModel | AnyLanguageModel

/** Hard limits of one turn. */
export interface AssistLimits {
  /** Attempts on the wire per layer, each round of tools included; default 6, or 12 with tools. */
  readonly modelCalls?: number
  /** Default 120. */
  readonly seconds?: number
  /** US dollars; default none. */
  readonly usd?: number
}

/** The options of an assistant. Without a model it reflects by rule, offline. */
export interface AssistantOptions extends Partial<
  Pick<AssistSettings, 'evaluations' | 'maxTokens' | 'maxHistoryBytes' | 'callTimeoutMs'>
> {
  /** The model of each layer that has none of its own. */
  readonly model?: AssistModel
  /** `null`: this layer works by rule. */
  readonly planner?: AssistModel | null
  readonly executor?: AssistModel | null
  readonly evaluator?: AssistModel | null
  /**
   * Holds intent, plans and evaluations; `intent` is only read. Default: the store's memories, or in memory
   * without a store.
   */
  readonly memory?: MemoryStore
  /** Stores conversations and turns, so that an interrupted turn can resume. */
  readonly store?: AssistStore & { readonly memories?: MemoryStore }
  /** Documents that are searched for each message; the executor's model reads the nearest passages. */
  readonly knowledge?: AssistKnowledge
  /** Facts about the user; the executor's model reads those that fit each message. */
  readonly facts?: AssistFacts
  /**
   * Tools of the executor's model. They may only read: an answer that is withheld must not have acted.
   */
  readonly tools?: readonly Tool[]
  readonly limits?: AssistLimits
  /** Reads users and drafts. Default: rules and learned words, plus the intent's patterns. */
  readonly readUser?: ReadUser
  readonly readDraft?: ReadDraft
  /** Answers if no model does. */
  readonly reflect?: Reflect
  /** Receive the redacted events of all turns. */
  readonly listeners?: readonly Listener[]
  /** Default: the system clock. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** The parts that an assistant uses unless its options give others; supplied by the package's entry. */
export interface AssistantParts extends Required<
  Pick<AssistantOptions, 'readUser' | 'readDraft' | 'reflect' | 'clock' | 'ids'>
> {
  readonly artifacts: ArtifactStore
  readonly timeZone: () => string
  readonly hash: (text: string) => string
  readonly memory: () => MemoryStore
  readonly load: (model: AssistModel) => Promise<BoundModel>
}
