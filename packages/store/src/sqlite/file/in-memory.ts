/** The path that asks for a new database without a file. */
const ASKED = ':memory:'

const NAME = /^file:\/echelon-\d+\?vfs=memdb$/

let named = 0

/**
 * The path to open: `:memory:` becomes a name of SQLite's `memdb`. Connections of this process with
 * the same name share one database in memory. It is gone when the last of them is closed.
 */
export const pathToOpen = (path: string): string =>
  path === ASKED ? `file:/echelon-${++named}?vfs=memdb` : path

/** Whether a path names a database in memory, which has no file to inspect. */
export const isInMemory = (path: string): boolean => path === ASKED || NAME.test(path)
