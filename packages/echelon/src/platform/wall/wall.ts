/** Whether a child process must run behind an operating system wall. */
export type WallMode =
  /** If the machine has one. */
  | 'auto'
  /** Starts nothing if the machine has none. */
  | 'required'
  | 'off'

/** A program with its arguments. */
export type Command = readonly [string, ...string[]]

/** The access of a process behind a wall. */
export interface Inside {
  /** Files and folders that it can read, absolute. */
  readonly reads: readonly string[]
  /** Whether it can also read the user's other files, except folders shared by programs. */
  readonly readsAll?: boolean
  /** The folder it starts in. */
  readonly folder: string
}

/** A sandbox enforced by the operating system, whatever code runs inside. */
export interface Wall {
  readonly name: 'bwrap' | 'unshare' | 'sandbox-exec'
  /** The access that it blocks, as readable text. */
  readonly holds: string
  /** Whether the process can write no files. */
  readonly blocksWrites: boolean
  /** The command that runs this one behind the wall. */
  readonly around: (command: Command, inside: Inside) => Command
}
