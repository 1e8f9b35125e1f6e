import type { ModelOutcome } from '../../core/extension/middleware.ts'
import type { Branch } from '../branch.ts'

type TextListener = (delta: string) => void

/** What hears a call's text: now, and from the beginning again after a drop. */
interface TextListeners {
  readonly listener: TextListener
  readonly again: () => TextListener | undefined
}

/**
 * What the user has been told of one model call with middleware around it, which may make several
 * attempts of it and answer something else in the end: what was shown is always a part of one
 * answer, and in the end all of the one that counts.
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

  /** May be handed on alone. An attempt that goes on after the call was over is not heard. */
  readonly say = (delta: string): void => {
    if (this.#isOver || delta === '') return
    this.#told += delta
    this.#listener?.(delta)
  }

  /** What was shown is void. */
  drop(): void {
    if (this.#told === '') return
    this.#told = ''
    this.#listener = this.#again()
    const { tree, path } = this.#branch
    if (tree.audience.hears('text-drop'))
      tree.audience.tell({ type: 'text-drop', path, seq: this.#seq })
  }

  /** @param outcome what came of the call; nothing when it failed */
  end(outcome?: ModelOutcome): void {
    const text = outcome?.type === 'generated' ? outcome.text : ''
    if (text !== this.#told) {
      this.drop()
      this.say(text)
    }
    this.#isOver = true
  }
}
