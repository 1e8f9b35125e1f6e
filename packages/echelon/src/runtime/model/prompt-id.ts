import { digestText, mixDigest } from '../../core/value/digest.ts'
import type { Redactor } from '../../core/redaction/redaction.ts'
import type { Thread } from '../../core/message/thread.ts'

/**
 * Names prompts in logs: equal prompts have equal ids in every run. The id is computed from the redacted
 * prompt, since a hidden value, such as a phone number, could otherwise be recovered by trying all
 * candidates. Incremental for a growing conversation.
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
    // Starts with a letter, so that it is never taken for a card number.
    return `p${digest.toString(36).padStart(11, '0')}`
  }
}
