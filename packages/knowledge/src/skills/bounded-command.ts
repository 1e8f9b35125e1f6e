import { existsSync } from 'node:fs'
import { closedNode, readByClosedNode } from 'echelon/internal/host'
import type { Command, Wall } from 'echelon/internal/host'

/** What runs one script, and what of it is not trusted with. */
export interface ScriptCommand {
  readonly folder: string
  /** The script with its arguments. */
  readonly script: Command
  /** What was given for such scripts; else this Node, closed. */
  readonly interpreter?: Command | undefined
  readonly memoryMb: number
  readonly wall: Wall | undefined
}

/** The whole command: the wall of the machine around the limits of the system around what runs the script. */
export function boundedCommand(given: ScriptCommand): Command {
  const { folder, script, interpreter, memoryMb, wall } = given
  const closed = closedNode({ reads: [folder], memoryMb })
  const command: Command = [...(interpreter ?? [process.execPath, ...closed]), ...script]
  const limited = withLimits(command, memoryMb, wall !== undefined)
  if (wall === undefined) return limited
  const [program] = command
  const readsAll = interpreter !== undefined
  const reads = readsAll ? [folder, program] : readByClosedNode([folder, program])
  return wall.around(limited, { reads, readsAll, folder })
}

const SHELL = '/bin/sh'
const ENV = '/usr/bin/env'

/**
 * What a Node of 64 bits maps before its first line, and what its own parts may take: the system counts all
 * that may be written.
 */
const BASE_MB = 1024

/** Of a script that another program runs, threads included, counted behind the wall alone. */
const MOST_PROCESSES = 128

/** Shells differ in the letter of the last limit, and put words of their own into the environment. A core would be a file with all that the script held. */
const LIMITS = `ulimit -c 0; ulimit -d "$1"
[ "$2" = 0 ] || ulimit -p "$2" 2>/dev/null || ulimit -u "$2"
shift 2; exec ${ENV} -u PWD -u OLDPWD -u SHLVL -u _ "$@"`

/** Where the system bounds a process so; the words of the command are arguments, never read by the shell. */
function withLimits(command: Command, memoryMb: number, isWalled: boolean): Command {
  if (process.platform !== 'linux' || ![SHELL, ENV].every((path) => existsSync(path)))
    return command
  const kilobytes = String((memoryMb + BASE_MB) * 1024)
  const processes = isWalled ? String(MOST_PROCESSES) : '0'
  return [SHELL, '-c', LIMITS, SHELL, kilobytes, processes, ...command]
}
