import type { JsonObject } from 'echelon/runtime'
import type { OpenIntent, QueuedIntent } from '../turn/dialogue.ts'
import type { Instead } from '../primitives/policy-engine.ts'
import type { SmallTalk, Wonder } from '../understand/command.ts'

/** Something to say that needs no tool. */
export type Saying =
  | { readonly about: 'small-talk'; readonly kind: SmallTalk }
  | { readonly about: 'language'; readonly language: string }
  | { readonly about: 'undo' }
  /** What was done in this conversation, and that nothing else was. */
  | { readonly about: 'only-done' }
  | {
      readonly about:
        | 'dropped'
        | 'withdrawn'
        | 'replaced'
        | 'idle'
        | 'nothing-asked'
        | 'hold'
        | 'wrong'
        | 'noted'
        | 'repeat'
        | 'waiting'
        | 'conditional'
        | 'later-person'
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
  /** What was offered before a question is offered again behind its answer. */
  | { readonly do: 'offer-again' }
  /** Asks the rules about requests that are not made, and answers with what they say. */
  | ({ readonly do: 'weigh' } & Weighing)

/** Requests about which the rules are asked before anything is said, one after the other. */
export type Weighing = {
  readonly left: readonly QueuedIntent[]
  readonly weighed: readonly Weighed[]
  readonly answers: Weighable
}

/** The kinds of messages that are answered with what the rules say. */
export type Weighable =
  /** A problem was reported, and one of the requests may mend it. */
  | { readonly kind: 'report' }
  /** One of the requests is meant, or serves the same end as what is not possible. */
  | { readonly kind: 'choice' }
  /** One request was offered at the end of the last answer, in other words than its confirmation's. */
  | { readonly kind: 'offer' }
  /** It is asked what can be done with an order. */
  | { readonly kind: 'options'; readonly order: string }
  /** It is asked what the rules say to one request. */
  | { readonly kind: Wonder }

/** What the rules say to one request. */
export type Weighed = QueuedIntent & {
  readonly verdict: Verdict
  /** Whether the customer must not learn that the order exists. */
  readonly isHidden: boolean
  readonly violations: readonly string[]
  readonly instead: Instead | null
  /** A digest of what it covers. */
  readonly rests?: string
}

/** `approval`: allowed once a person has approved it. */
export type Verdict = 'allowed' | 'approval' | 'denied'

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
