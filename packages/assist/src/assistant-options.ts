import type { ArtifactStore } from 'echelon/internal/tool'
import type { Listener } from 'echelon/internal/agent'
import type { AnyLanguageModel } from 'echelon/providers'
import type { BoundModel } from 'echelon/providers'
import type { Clock, Ids, MemoryStore } from 'echelon/runtime'
import type { AssistStore } from './session/assist-session.ts'
import type { AssistSettings } from './assist-settings.ts'
import type { Reflect } from './executor.ts'
import type { ReadDraft, ReadUser } from './evaluation/finding.ts'

/** A model: by name (`provider/model`), ready to be called, or as a package of the AI SDK gives it. */
export type AssistModel = string | BoundModel | AnyLanguageModel

/** Hard limits of one turn. */
export interface AssistLimits {
  /** Attempts on the wire of each layer; default 6. */
  readonly modelCalls?: number
  /** Default 120. */
  readonly seconds?: number
  /** US dollars; default none. */
  readonly usd?: number
}

/** What an assistant is made of. Without a model it reflects by rule, offline. */
export interface AssistantOptions extends Partial<
  Pick<AssistSettings, 'evaluations' | 'maxTokens' | 'maxHistoryBytes' | 'callTimeoutMs'>
> {
  /** Plays each layer that has no model of its own. */
  readonly model?: AssistModel
  /** `null`: this layer works by rule. */
  readonly planner?: AssistModel | null
  readonly executor?: AssistModel | null
  readonly evaluator?: AssistModel | null
  /**
   * Where intent, plans and evaluations are. Of `intent` it is only read. Default: the store's
   * memories, or in memory without a store.
   */
  readonly memory?: MemoryStore
  /** Where conversations and turns are on record, so that one that was cut off goes on. */
  readonly store?: AssistStore & { readonly memories?: MemoryStore }
  readonly limits?: AssistLimits
  /** What reads the user, and drafts; default by rules and learnt words, and by the intent's patterns. */
  readonly readUser?: ReadUser
  readonly readDraft?: ReadDraft
  /** Answers where no model does. */
  readonly reflect?: Reflect
  /** Who hears the events of all turns, redacted. */
  readonly listeners?: readonly Listener[]
  /** Default: the machine's. */
  readonly clock?: Clock
  readonly ids?: Ids
}

/** What an assistant is made of where its options do not say: given by the door. */
export interface AssistantParts extends Required<
  Pick<AssistantOptions, 'readUser' | 'readDraft' | 'reflect' | 'clock' | 'ids'>
> {
  readonly artifacts: ArtifactStore
  readonly timeZone: () => string
  readonly hash: (text: string) => string
  readonly memory: () => MemoryStore
  readonly load: (model: AssistModel) => Promise<BoundModel>
}
