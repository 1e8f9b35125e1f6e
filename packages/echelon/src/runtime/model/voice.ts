import type { TextTransform } from '../../core/extension/middleware.ts'
import { withText } from '../../core/message/text-of-content.ts'
import type { Branch } from '../branch.ts'
import type { ModelAnswer } from './model-answer.ts'

/**
 * What middleware makes of the text of one answer. The innermost hears it first. An answer that
 * does not stream goes the same way, as one piece.
 */
export class Voice {
  readonly #transforms: readonly TextTransform[]
  #said = ''

  private constructor(transforms: readonly TextTransform[]) {
    this.#transforms = transforms
  }

  /** Nothing where no middleware changes text. */
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

  /** What was held back until the answer was complete. */
  end(): string {
    let text = ''
    for (const transform of this.#transforms) {
      const passed = text === '' ? '' : transform.text(text)
      text = passed + (transform.end?.() ?? '')
    }
    this.#said += text
    return text
  }

  /** An answer that came at once. */
  tell(answer: ModelAnswer): ModelAnswer {
    this.hear(answer.text)
    this.end()
    return this.written(answer)
  }

  /** The answer with the text that was said. */
  written(answer: ModelAnswer): ModelAnswer {
    const { content, ...rest } = answer
    const text = this.#said
    return content === undefined
      ? { ...rest, text }
      : { ...rest, text, content: withText(content, text) }
  }
}
