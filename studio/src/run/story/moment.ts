import type { Json, JsonObject } from 'echelon/client'

/** The tone of a moment, which sets its color. */
export type Tone = 'plain' | 'good' | 'bad' | 'up' | 'person'

/** Which step of the run it belongs to. */
export interface Place {
  /** `''` is the run itself, else a child run. */
  readonly path: string
  readonly seq: number
}

/** A tool call with what came of it. */
export interface CallShown {
  readonly id: string
  readonly tool: string
  readonly input: Json
  readonly began: number
  readonly ended: number | undefined
  /** `undefined` while it works. */
  readonly outcome: OutcomeShown | undefined
  readonly progress: readonly Json[]
}

export interface OutcomeShown {
  readonly type: 'ok' | 'error' | 'denied' | 'refused' | 'unknown'
  readonly value: Json
}

interface Common {
  /** Unique in the story, and the same when the story is built again. */
  readonly key: string
  readonly at: number
  readonly place: Place | undefined
  /** The event in one plain sentence. */
  readonly title: string
  readonly tone: Tone
  /** The model whose turn it was. */
  readonly model: string | undefined
}

/** Something that happened in a run. A story is a list of them. */
export type Moment = Common &
  (
    | {
        /** A call of a model. */
        readonly type: 'model'
        readonly role: string
        readonly text: string
        readonly usage: { readonly input: number; readonly output: number } | undefined
        readonly cost: number | null | undefined
        readonly ended: number | undefined
        /** The plan that it wrote, if it wrote one. */
        readonly plan: Json | undefined
        /** Problems on the way: retries and warnings. */
        readonly troubles: readonly string[]
      }
    | {
        /** Tool calls: of a plan, or to check an answer. */
        readonly type: 'tools'
        readonly isCheck: boolean
        readonly calls: readonly CallShown[]
      }
    | {
        /** A verifier's verdict, with its evidence. */
        readonly type: 'verdict'
        readonly evidence: string
        readonly score: number | null
        readonly details: JsonObject
      }
    | {
        /** The decision of a gate, with the numbers that made it. */
        readonly type: 'gate'
        readonly decision: 'accept' | 'promote' | 'continue' | 'stop'
        readonly numbers: readonly { readonly name: string; readonly value: string }[]
      }
    | {
        /** The task goes to a bigger model. */
        readonly type: 'promotion'
        readonly from: string | undefined
        readonly to: string
        /** The note to the bigger model about it, if the event has one. */
        readonly told: string | undefined
        /** Whether `told` is part of its prompt. */
        readonly isInPrompt: boolean
      }
    | {
        /** It waits for a person, or was answered. */
        readonly type: 'person'
        readonly request: string
        readonly about: Json
        /** `undefined` while it waits. */
        readonly reply: Json | undefined
      }
    | { readonly type: 'said'; readonly text: string }
    | {
        /** A note of the agent or a middleware, or a message of the runtime. */
        readonly type: 'note'
        readonly data: JsonObject
      }
    | { readonly type: 'end'; readonly reason: string }
  )

export type MomentOf<Type extends Moment['type']> = Extract<Moment, { readonly type: Type }>
