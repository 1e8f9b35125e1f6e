import type { JsonObject } from 'echelon/runtime'
import type { OpenIntent, QueuedIntent } from '../turn/dialogue.ts'
import type { Instead } from '../primitives/policy-engine.ts'
import type { SmallTalk } from '../understand/command.ts'

/** Something to say that needs no tool. */
export type Saying =
  | { readonly about: 'small-talk'; readonly kind: SmallTalk }
  | { readonly about: 'language'; readonly language: string }
  | { readonly about: 'undo' }
  /** What the rules allow for this order, after they were asked. */
  | { readonly about: 'options'; readonly order: string }
  /** What was done in this conversation, and that nothing else was. */
  | { readonly about: 'only-done' }
  | {
      readonly about:
        | 'dropped'
        | 'withdrawn'
        | 'idle'
        | 'hold'
        | 'noted'
        | 'repeat'
        | 'waiting'
        | 'conditional'
        | 'taken-back'
    }

/** One piece of a turn's work, in the order in which it is done. */
export type Work =
  | ({ readonly do: 'begin' } & QueuedIntent)
  /** The open question is answered. */
  | { readonly do: 'go-on'; readonly open: OpenIntent; readonly params: JsonObject }
  | { readonly do: 'confirmed'; readonly open: OpenIntent }
  /** The open question was not answered, and is asked once more. */
  | { readonly do: 'ask-again'; readonly open: OpenIntent }
  | { readonly do: 'say'; readonly saying: Saying }
  /** Answers a question from the documents. */
  | {
      readonly do: 'look-up'
      readonly question: string
      readonly isBeyond?: true
      readonly offer?: readonly string[]
    }
  | {
      readonly do: 'not-understood'
      readonly readings: readonly string[]
      readonly isReport?: true
    }
  /** Asks the rules which of several things can be done, and offers these. */
  | ({ readonly do: 'weigh' } & Weighing)

/** Things that may be done for an order, about each of which the rules are asked. */
export type Weighing = {
  readonly left: readonly QueuedIntent[]
  readonly judged: readonly Judged[]
  /** Whether the customer reports a problem. */
  readonly isReport?: true
}

/** What the rules say of one of them. */
export type Judged = QueuedIntent & {
  readonly isAllowed: boolean
  /** Whether a person has to approve it. */
  readonly needsPerson: boolean
  readonly isHidden: boolean
  readonly violations: readonly string[]
  readonly instead: Instead | null
}

/** What the commands of a message change in the dialogue, and the work that follows. */
export interface Applied {
  readonly open: OpenIntent | null
  readonly stack: readonly OpenIntent[]
  readonly choices: readonly QueuedIntent[]
  /** Plans that are given up. */
  readonly canceled: readonly OpenIntent[]
  /** Plans that waited for a person, and that the customer takes back. */
  readonly withdrawn: readonly OpenIntent[]
  readonly work: readonly Work[]
}
