import type { TextTransform } from '../../core/extension/middleware.ts'
import { withText } from '../../core/message/text-of-content.ts'
import type { Branch } from '../branch.ts'
import type { ModelAnswer } from './model-answer.ts'

/**
 * Passes the text of one answer through the middleware, innermost first. An answer that is not streamed
 * passes as one piece.
 */
export class Voice {
  readonly #transforms: readonly TextTransform[]
  #said = ''

  private constructor(transforms: readonly TextTransform[]) {
    this.#transforms = transforms
  }

  /** Undefined if no middleware changes text. */
  static of(branch: Branch): Voice | undefined {
    const streams = branch.pipeline?.streams
    if (streams === undefined || streams.length === 0) return undefined
    return new Voice(streams.map((open) => open(branch)).toReversed())
  }

  hear(delta: string): string {
    let text = delta
    for (const transform of this.#transforms) text = text === '' ? '' : transform.text(text)
    this.#said += text
    return text
  }

  /** Text that was held back until the answer was complete. */
  end(): string {
    let text = ''
    for (const transform of this.#transforms) {
      const passed = text === '' ? '' : transform.text(text)
      text = passed + (transform.end?.() ?? '')
    }
    this.#said += text
    return text
  }

  /** An answer that is not streamed. */
  tell(answer: ModelAnswer): ModelAnswer {
    this.hear(answer.text)
    this.end()
    return this.written(answer)
  }

  /** The answer with the changed text. */
  written(answer: ModelAnswer): ModelAnswer {
    const { content, ...rest } = answer
    const text = this.#said
    return content === undefined
      ? { ...rest, text }
      : { ...rest, text, content: withText(content, text) }
  }
}
