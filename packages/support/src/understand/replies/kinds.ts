/**
 * What a reply to something open is. `other` wants something else than what is open; `yes+wish` agrees, and asks for
 * more; `pick` takes one of several things. A question beside a yes or a no is taken from it before.
 */
export const REPLY_KINDS = [
  'yes',
  'yes+wish',
  'pick',
  'no',
  'later',
  'ask',
  'unsure',
  'other',
] as const

export type ReplyKind = (typeof REPLY_KINDS)[number]

/** The kinds of examples: a question may stand beside a yes or a no. */
export type ReplyExampleKind = ReplyKind | 'yes+ask' | 'no+ask'
const EXAMPLE_KINDS: readonly ReplyExampleKind[] = [...REPLY_KINDS, 'yes+ask', 'no+ask']

/** Between the kind of a reply and what it replies to: `yes@refund`. */
const AT = '@'

/** A reply that people gave, to a request of this kind: the word for it in the name of an intent, or `choice`. */
export interface ReplyExample {
  readonly kind: ReplyExampleKind
  readonly about: string
  readonly text: string
}

/** The kind and the subject of a label such as `yes@refund`; `null` for none. */
export function replyLabel(label: string): Pick<ReplyExample, 'kind' | 'about'> | null {
  const [said = '', about = ''] = label.split(AT)
  const kind = EXAMPLE_KINDS.find((one) => one === said)
  return kind === undefined || about === '' ? null : { kind, about }
}
