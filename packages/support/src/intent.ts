/** Something that customers want, and the tool that does it. */
export interface Intent {
  readonly id: string
  /** What a model reads. */
  readonly description: string
  readonly requiredParams: readonly string[]
  readonly tool: string
  readonly constraints: IntentConstraints
  /** How each parameter looks and is asked for; one that is not described takes any text. */
  readonly params: Readonly<Record<string, ParamSpec>>
  /** Parameters that are used where they were said, and never asked for. */
  readonly optionalParams: readonly string[]
  /** What customers say who want it: the embedded classifier learns from these. */
  readonly examples: readonly string[]
  readonly wording: IntentWording
  /**
   * Where a model plans by itself, call after call, until it answers: what else it may call. Empty for
   * an intent that is one call.
   */
  readonly tools: readonly string[]
  /** Whether the customer is asked once more before `tool` is called. */
  readonly confirm: boolean
}

export interface IntentConstraints {
  /** Where it is offered; empty means everywhere. */
  readonly channels: readonly string[]
  /** Percent of customers, 0 to 100, chosen by a hash that stays the same for each customer. */
  readonly rollout: number
  /** The lowest tier of customer, of the file's own order of tiers; `null` for everybody. */
  readonly minTier: string | null
}

export interface ParamSpec {
  /** What a person calls it, such as `order ID`. */
  readonly label: string
  /** Regular expression of the whole value, as JavaScript reads it with the flags `iu`. */
  readonly pattern: string | null
  /** Of the value that matches: `upper` makes `o-12345` and `O-12345` the same. */
  readonly form: 'as-said' | 'upper' | 'lower'
  /** The question, where no model words it. */
  readonly ask: string
  /** The closed list of what it can be, with the words for each; empty for any text. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** Whether an answer to the question is taken whole, such as an address. */
  readonly wholeAnswer: boolean
}

/** Sentences with `{name}` in them, filled from the parameters and the tool's result. */
export interface IntentWording {
  /** Said before the tool is called. */
  readonly pre: string
  /** Said with its result. `[…]` is left out where a name within it has no value. */
  readonly post: string
  /** In place of `post` for a result with that `status`. */
  readonly postByStatus: Readonly<Record<string, string>>
  /** Asked where the customer is to confirm. */
  readonly confirm: string
}
