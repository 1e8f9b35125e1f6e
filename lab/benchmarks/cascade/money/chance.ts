import { seededRandom } from '../../../../packages/echelon/src/core/value/random.ts'

/** Random draws from a seed: the same, in the same order, in every process. */
export class Chance {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** A number in [0, 1). */
  share(): number {
    return this.#random()
  }

  happens(probability: number): boolean {
    return this.#random() < probability
  }

  /** A whole number, both ends included. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1))
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.#random() * items.length)] ?? items[0]
  }

  /** A list of so many draws. */
  many<Item>(count: number, draw: () => Item): readonly Item[] {
    return Array.from({ length: count }, draw)
  }
}
