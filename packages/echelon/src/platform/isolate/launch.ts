import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { HAS_GROUPS } from '../end-group.ts'
import { closedNode, readByClosedNode } from '../wall/closed-node.ts'
import type { Wall } from '../wall/wall.ts'
import { workerModule } from '../worker-module.ts'
import { readable } from './readable.ts'

/** The start options of a worker. */
export interface Start {
  readonly module: URL
  /** Limit of the JavaScript heap, in MiB. */
  readonly memoryMb: number
  /**
   * Limit of the whole process including buffers, in MiB, checked 20 times a second. Default: none.
   */
  readonly residentMb?: number
  /** Whether the module needs native addons. Default false. */
  readonly addons?: boolean
  /**
   * Whether JavaScript's built-in objects are frozen, so that no input changes them for a later
   * one. Default true. Use false for a module whose packages extend them.
   */
  readonly frozen?: boolean
}

const GUEST = workerModule(import.meta.url, './guest.ts')
/** A worker that runs from source resolves the other packages to their source too. */
const FROM_SOURCE = GUEST.pathname.endsWith('.ts') ? ['--conditions=echelon-source'] : []

/** A process and the pipe for its questions. */
export interface Launched {
  readonly child: ChildProcess
  readonly pipe: Socket
}

/**
 * The process can read code and has no other permission of Node's model. It gets no environment,
 * hence no keys, and its output is discarded.
 */
export function launch(start: Start, wall: Wall | undefined): Launched {
  const { module, memoryMb, residentMb, addons = false, frozen = true } = start
  const reads = readable(module, GUEST)
  const watched = residentMb === undefined ? [] : [String(residentMb)]
  const flags = closedNode({ reads, memoryMb, addons, threads: watched.length > 0 })
  const command = [
    process.execPath,
    ...flags,
    ...FROM_SOURCE,
    ...(frozen ? ['--frozen-intrinsics', '--disable-proto=delete'] : []),
    fileURLToPath(GUEST),
    module.href,
    ...watched,
  ] as const
  const inside = {
    reads: readByClosedNode(reads),
    folder: fileURLToPath(new URL('./', GUEST)),
  }
  const [program, ...args] = wall === undefined ? command : wall.around(command, inside)
  const child = spawn(program, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    windowsHide: true,
    detached: HAS_GROUPS,
  })
  const pipe = child.stdio[3]
  // Node returns a socket for every pipe, even if the process could not be started.
  if (!(pipe instanceof Socket)) throw new TypeError('a worker without its pipe')
  return { child, pipe }
}
