import { digestText, mixDigest } from '../../core/value/digest.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import type { Thread } from '../../core/message/thread.ts'

/**
 * Names prompts in logs: the same prompt has the same name in every run. It is made of the prompt as
 * a log would show it, since what is hidden there, such as a telephone number, could be found again
 * by trying all of them. Rolls along with a conversation that only grows.
 */
export class PromptIds {
  readonly #redact: Redactor
  #last: { readonly thread: Thread; readonly digest: number } | undefined

  constructor(redact: Redactor) {
    this.#redact = redact
  }

  of(thread: Thread): string {
    const last = this.#last
    const grown = last !== undefined && thread.extends(last.thread) ? last : undefined
    let digest = grown?.digest ?? 0
    for (let index = grown?.thread.length ?? 0; index < thread.length; index++) {
      digest = mixDigest(digest, digestText(JSON.stringify(this.#redact(thread.at(index)))))
    }
    this.#last = { thread, digest }
    // A letter first: no number that could be taken for one of a card.
    return `p${digest.toString(36).padStart(11, '0')}`
  }
}
