import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { asStoreError } from './unusable.ts'

/** A statement that is prepared once. It turns SQLite's errors about the file into ours. */
export class Prepared {
  readonly #path: string
  readonly #statement: StatementSync

  constructor(path: string, statement: StatementSync) {
    this.#path = path
    this.#statement = statement
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
