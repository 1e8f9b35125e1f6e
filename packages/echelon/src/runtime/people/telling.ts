import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { Branch } from '../branch.ts'

type TextListener = (delta: string) => void

/** The listener for a call's text, and a factory of a new one after a drop. */
interface TextListeners {
  readonly listener: TextListener
  readonly again: () => TextListener | undefined
}

/**
 * Tracks the text shown to the user for one model call with middleware, which may make several
 * attempts and return another answer in the end. The text shown is always a part of one answer, and
 * in the end the whole of the final one.
 */
export class Telling {
  readonly #branch: Branch
  readonly #seq: number
  readonly #again: () => TextListener | undefined
  #listener: TextListener | undefined
  #told = ''
  #isOver = false

  constructor(branch: Branch, seq: number, { listener, again }: TextListeners) {
    this.#branch = branch
    this.#seq = seq
    this.#listener = listener
    this.#again = again
  }

  /** Bound, so that it can be passed on. Text that arrives after the call is over is ignored. */
  readonly say = (delta: string): void => {
    if (this.#isOver || delta === '') return
    this.#told += delta
    this.#listener?.(delta)
  }

  /** Discards the text shown so far. */
  drop(): void {
    if (this.#told === '') return
    this.#told = ''
    this.#listener = this.#again()
    const { tree, path } = this.#branch
    if (tree.audience.hears('text-drop'))
      tree.audience.tell({ type: 'text-drop', path, seq: this.#seq })
  }

  /** @param outcome the outcome of the call; `undefined` if it threw */
  end(outcome?: ModelOutcome): void {
    const text = outcome?.type === 'generated' ? outcome.text : ''
    if (text !== this.#told) {
      this.drop()
      this.say(text)
    }
    this.#isOver = true
  }
}
