import type { ModelOutcome } from '../core/middleware.ts'
import type { Branch } from './branch.ts'

/**
 * What the user has been told of one model call with middleware around it, which may make several
 * attempts of it and answer something else in the end: what was shown is always a part of one
 * answer, and in the end all of the one that counts.
 */
export class Telling {
  readonly #branch: Branch
  readonly #seq: number
  readonly #listener: (delta: string) => void
  #told = ''
  #isOver = false

  constructor(branch: Branch, seq: number, listener: (delta: string) => void) {
    this.#branch = branch
    this.#seq = seq
    this.#listener = listener
  }

  /** May be handed on alone. An attempt that goes on after the call was over is not heard. */
  readonly say = (delta: string): void => {
    if (this.#isOver || delta === '') return
    this.#told += delta
    this.#listener(delta)
  }

  /** What was shown is void. */
  drop(): void {
    if (this.#told === '') return
    this.#told = ''
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
