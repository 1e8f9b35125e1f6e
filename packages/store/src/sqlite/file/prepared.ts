import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { asStoreError } from './unusable.ts'

/**
 * A statement that is prepared once, when it is first used: a store has some hundred, and most processes use few. It
 * turns SQLite's errors about the file into ours.
 */
export class Prepared {
  readonly #path: string
  readonly #prepare: () => StatementSync
  #prepared: StatementSync | undefined

  constructor(path: string, prepare: () => StatementSync) {
    this.#path = path
    this.#prepare = prepare
  }

  get #statement(): StatementSync {
    return (this.#prepared ??= this.#prepare())
  }

  get(...values: SQLInputValue[]): ReturnType<StatementSync['get']> {
    try {
      return this.#statement.get(...values)
    } catch (error) {
      throw asStoreError(this.#path, error)
    }
  }

  all(...values: SQLInputValue[]): ReturnType<StatementSync['all']> {
    try {
      return this.#statement.all(...values)
    } catch (error) {
      throw asStoreError(this.#path, error)
    }
  }

  *iterate(...values: SQLInputValue[]): ReturnType<StatementSync['iterate']> {
    try {
      yield* this.#statement.iterate(...values)
    } catch (error) {
      throw asStoreError(this.#path, error)
    }
  }

  run(...values: SQLInputValue[]): ReturnType<StatementSync['run']> {
    try {
      return this.#statement.run(...values)
    } catch (error) {
      throw asStoreError(this.#path, error)
    }
  }
}
