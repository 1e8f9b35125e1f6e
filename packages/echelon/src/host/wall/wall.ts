/** Whether a child process must stand behind a wall of the operating system. */
export type WallMode =
  /** Where the machine has one. */
  | 'auto'
  /** Nothing is started where the machine has none. */
  | 'required'
  | 'off'

/** A program with its arguments. */
export type Command = readonly [string, ...string[]]

/** What a process behind a wall is left with. */
export interface Inside {
  /** Files and folders that it may read, absolute. */
  readonly reads: readonly string[]
  /** Whether it may read whatever else this user may, but for folders that programs share. */
  readonly readsAll?: boolean
  /** The folder it starts in. */
  readonly folder: string
}

/** A wall that the operating system keeps, whatever the process behind it manages to run. */
export interface Wall {
  readonly name: 'bwrap' | 'unshare' | 'sandbox-exec'
  /** What does not get through it, in words for people. */
  readonly holds: string
  /** The command that runs this one behind the wall. */
  readonly around: (command: Command, inside: Inside) => Command
}
