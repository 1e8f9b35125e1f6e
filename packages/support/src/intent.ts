import type { Facet } from './understand/facets.ts'

/** A customer's request, and the tool that fulfills it. */
export interface Intent {
  readonly id: string
  /** Read by models. */
  readonly description: string
  /** What it does for a customer, in words that follow "I can": `cancel an order`. Default: the description. */
  readonly name?: string
  readonly requiredParams: readonly string[]
  readonly tool: string
  readonly constraints: IntentConstraints
  /** The format and question of each parameter; one without an entry accepts any text. */
  readonly params: Readonly<Record<string, ParamSpec>>
  /** Parameters that are used if given, and never asked for. */
  readonly optionalParams: readonly string[]
  /** Typical customer messages; the embedded classifier learns from them. */
  readonly examples: readonly string[]
  /** Further messages of customers, which only the classifier learns from: no model is sent them. */
  readonly messages?: readonly string[]
  readonly wording: IntentWording
  /**
   * Additional tools that a planning model may call, one after the other, until it answers. Empty for an intent of
   * a single call.
   */
  readonly tools: readonly string[]
  /** Whether the customer must confirm before `tool` is called. */
  readonly confirm: boolean
  /**
   * The parameter that "undo" sets back to what it was, by running the intent once more; `null` if it can't be
   * taken back.
   */
  readonly restores?: string | null
  /**
   * The states of an order in which it makes sense. Only a hint, for which order is meant and what is worth asking:
   * rules decide. Empty or absent for all.
   */
  readonly whileStatus?: readonly string[]
  /** The field of an order that it is about: where no order is named, the only one that has it is meant. */
  readonly ofField?: string
  /** Where no order is named or spoken of, documents answer, and no order is asked for. */
  readonly withoutOrder?: 'documents'
}

export interface IntentConstraints {
  /** The channels that offer it; empty means all. */
  readonly channels: readonly string[]
  /** Percentage of customers, 0 to 100, chosen by a hash that is stable per customer. */
  readonly rollout: number
  /** The lowest tier of customer, in the file's order of tiers; `null` for all customers. */
  readonly minTier: string | null
}

export interface ParamSpec {
  /** The name for people, such as `order ID`. */
  readonly label: string
  /** JavaScript regular expression for the whole value, with the flags `iu`. */
  readonly pattern: string | null
  /** Normalization of a matching value: `upper` makes `o-12345` and `O-12345` equal. */
  readonly form: 'as-said' | 'upper' | 'lower'
  /** The question, if no model words it. */
  readonly ask: string
  /** The closed list of values, with the words for each; empty for any text. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Whether the whole answer to the question is the value, as with an address. */
  readonly wholeAnswer: boolean
}

/** A sentence, or one that offers an intent, which a yes begins. */
export type Answer = string | { readonly say: string; readonly offer: string }

/** Answers by what is asked for, then by status. */
export type AskedWording = Readonly<Partial<Record<Facet, Readonly<Record<string, Answer>>>>>

/** Sentences with `{name}` placeholders, filled from the parameters and the tool's result. */
export interface IntentWording {
  /** Said before the tool is called. */
  readonly pre: string
  /** Said with its result. `[…]` is omitted if a name within it has no value. */
  readonly post: string
  /** Replaces `post` for a result with that `status`. */
  readonly postByStatus: Readonly<Record<string, string>>
  /**
   * Replaces both where the question asks for more than the state: by what it asks for, then by `status`, with
   * `other` for the rest.
   */
  readonly postByAsked?: AskedWording
  /** Replaces `post` where a value for a name of it is missing. */
  readonly postWithout?: Answer
  /** What it would do, in words that follow "I can", with the names that `confirm` may use. Default: the name. */
  readonly would?: string
  /** Asks the customer to confirm. */
  readonly confirm: string
  /** The same in short, behind another thing that can be done for the same items: "start its return". */
  readonly wouldToo?: string
  /** Why it can't be taken back. */
  readonly undo?: string
}

/** What an intent does for a customer, in words. */
export const nameOfIntent = ({ name, description }: Intent): string =>
  name ?? description.charAt(0).toLowerCase() + description.slice(1)

/** Why what an intent did can't be taken back. */
export const undoOf = ({ wording }: Intent): string =>
  wording.undo ?? "That can't be undone here. Say that you want a person, and I'll get a colleague."
