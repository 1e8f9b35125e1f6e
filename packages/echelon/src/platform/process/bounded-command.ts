import { existsSync } from 'node:fs'
import { closedNode, readByClosedNode } from '../wall/closed-node.ts'
import type { Command, Wall } from '../wall/wall.ts'

/** One script to run, and its restrictions. */
interface ScriptCommand {
  readonly folder: string
  /** The script and its arguments. */
  readonly script: Command
  /** The program for scripts of this kind; default this Node, restricted. */
  readonly interpreter?: Command | undefined
  readonly memoryMb: number
  readonly wall: Wall | undefined
}

/** The complete command: the sandbox around the resource limits around the interpreter and its script. */
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
 * Address space a 64-bit Node maps before its first line, plus its own needs: the limit counts all
 * writable memory.
 */
const BASE_MB = 1024

/** Limit for a script run by another program, threads included. Applied only in a sandbox. */
const MAX_PROCESSES = 128

/**
 * Shells differ in the letter of the last limit, and add their own environment variables. A core dump
 * would be a file with all the script's data.
 */
const LIMITS = `ulimit -c 0; ulimit -d "$1"
[ "$2" = 0 ] || ulimit -p "$2" 2>/dev/null || ulimit -u "$2"
shift 2; exec ${ENV} -u PWD -u OLDPWD -u SHLVL -u _ "$@"`

/**
 * Adds limits if the system supports them. The words of the command are arguments, never parsed by the
 * shell.
 */
function withLimits(command: Command, memoryMb: number, isWalled: boolean): Command {
  if (process.platform !== 'linux' || ![SHELL, ENV].every((path) => existsSync(path)))
    return command
  const kilobytes = String((memoryMb + BASE_MB) * 1024)
  const processes = isWalled ? String(MAX_PROCESSES) : '0'
  return [SHELL, '-c', LIMITS, SHELL, kilobytes, processes, ...command]
}
