import type { JsonObject } from 'echelon/runtime'
import type { FollowUp } from './afterwards/kinds.ts'

/** Kinds of small talk: nothing is asked for, and nothing has failed. */
export const SMALL_TALK = [
  'greeting',
  'thanks',
  'goodbye',
  'apology',
  'insult',
  'praise',
  'capabilities',
] as const

export type SmallTalk = (typeof SMALL_TALK)[number]

/** A request: an intent, with the parameters that the message gives. */
export interface StartTask {
  readonly type: 'start-task'
  readonly intentId: string
  readonly params: JsonObject
  /** 0 to 1, calibrated: of readings at 0.9, nine in ten are right. */
  readonly confidence: number
  /** The part of the message that asks for it; absent if that is the whole message. */
  readonly said?: string
  /** Set if the message only asks what the rules say to the request. */
  readonly wonders?: Wonder
  /** Set if it is asked for the time after the order has arrived. */
  readonly isOnceArrived?: true
}

/**
 * How the rules are asked about a request that is not made: whether it is possible, whether it is on a condition
 * that is still open, or why it was refused or has to be approved.
 */
export type Wonder = 'possible' | 'later' | 'why'

/**
 * What a customer's message tells the dialogue to do. Both readers, embedded and model, give a list of these, and
 * one engine applies them (`dialogue/apply-commands.ts`). A reader never decides what happens.
 */
export type Command =
  | StartTask
  /** Answers the open question. */
  | { readonly type: 'set-slots'; readonly params: JsonObject }
  /** Changes an earlier statement: "no, the other order". Without parameters, the old value is taken back. */
  | { readonly type: 'correct-slots'; readonly intentId: string; readonly params: JsonObject }
  /** Yes, or no, to the open confirmation. */
  | {
      readonly type: 'confirm'
      /** The part of the message that says yes, if the rest is a request of its own. Only rules give it, no model. */
      readonly said?: string
    }
  | { readonly type: 'deny' }
  /** Says something about what is open, such as a reason, and neither agrees nor refuses. */
  | { readonly type: 'remark' }
  /** Hesitates: neither yes nor no. It only gains time, or says that a part is wrong without the right value. */
  | { readonly type: 'wait'; readonly for?: 'time' | 'value' }
  /** The customer no longer wants what is open. */
  | { readonly type: 'cancel-task' }
  /** Back to the previous question. */
  | { readonly type: 'go-back' }
  /** The last answer once more. */
  | { readonly type: 'repeat' }
  /** Takes back what was done last. */
  | { readonly type: 'undo' }
  /** Asks what waits for a person. */
  | { readonly type: 'ask-waiting' }
  | { readonly type: 'ask-person'; readonly params: JsonObject }
  | { readonly type: 'small-talk'; readonly kind: SmallTalk }
  /** A question about rules, products or the shop; answered from documents, or said not to be known. */
  | {
      readonly type: 'ask-knowledge'
      readonly question: string
      /** Whether it is most likely about something that nothing here answers: a document has to fit it closely. */
      readonly isBeyond?: true
      /** The intents that serve the same end, as far as the order allows them. */
      readonly offer?: readonly string[]
    }
  /** Says something that only makes sense after what was answered, refused, done, or passed on. */
  | { readonly type: 'follow-up'; readonly about: FollowUp }
  /** Asks what can be done with an order: the rules are asked about each of these requests. */
  | {
      readonly type: 'ask-options'
      readonly order: string
      readonly requests: readonly { readonly intentId: string; readonly params: JsonObject }[]
    }
  /** Asks what was done, and whether anything else was. */
  | { readonly type: 'ask-done' }
  /** An order on a condition: "if it is late, cancel it". Nothing is done on one. */
  | {
      readonly type: 'conditional'
      /** Whether it is a person who is wanted under the condition. */
      readonly isOfPerson?: true
    }
  /** Written in another language than the agent reads without a model: its ISO 639-1 code. */
  | { readonly type: 'other-language'; readonly language: string }
  /** The likeliest intents, at most two, are offered as a choice; empty if none is likely. */
  | {
      readonly type: 'unclear'
      readonly readings: readonly string[]
      /** Whether it reports a problem with what was ordered, which one of these may mend. */
      readonly isReport?: true
    }

export type CommandType = Command['type']

/** The interpretation of one message, by any reader. */
export interface Reading {
  /** In the order of the message; never empty. */
  readonly commands: readonly Command[]
  /** The lowest confidence among its parts; 0 if it is unclear. */
  readonly confidence: number
  /** A short reason, for diagnostics. */
  readonly reasoning: string
  /** The intents that are likeliest after this reading; offered beside it if it is not sure enough. */
  readonly alternatives?: readonly string[]
}

/** Confidence of readings by rule: an answer that fits its pattern, a plain yes. */
export const BY_RULE = 0.95

/** A reading without any request. */
export const readAs = (
  commands: readonly Command[],
  reasoning: string,
  confidence: number = BY_RULE,
): Reading => ({ commands, confidence, reasoning })

export const NOT_UNDERSTOOD: Reading = readAs(
  [{ type: 'unclear', readings: [] }],
  'no intent fits',
  0,
)

/** The requests of a reading. */
export const tasksOf = ({ commands }: Pick<Reading, 'commands'>): readonly StartTask[] =>
  commands.filter((command) => command.type === 'start-task')

export const isUnclear = ({ commands }: Pick<Reading, 'commands'>): boolean =>
  commands.every(({ type }) => type === 'unclear')

/** The parameters that a reading gives, for its first request or for the open one. */
export function paramsIn({ commands }: Pick<Reading, 'commands'>): JsonObject {
  const [first] = commands.flatMap((command) => ('params' in command ? [command.params] : []))
  return first ?? {}
}

export const lowest = (tasks: readonly StartTask[]): number =>
  Math.min(BY_RULE, ...tasks.map(({ confidence }) => confidence))
