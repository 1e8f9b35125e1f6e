import { type ChildProcess, spawn } from 'node:child_process'
import { ToolError } from '../../core/tool/tool.ts'
import { endGroup, HAS_GROUPS } from '../end-group.ts'
import { wallFor } from '../wall/wall-here.ts'
import type { Command, Wall, WallMode } from '../wall/wall.ts'
import { boundedCommand } from './bounded-command.ts'

/** A script, and the limits that it runs in. */
export interface BoundedProcess {
  /** The folder it starts in. */
  readonly folder: string
  /** The script with its arguments. */
  readonly script: Command
  /** The program that runs the script. Default: this Node, restricted by its permission model. */
  readonly interpreter?: Command | undefined
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>
  /** Of JavaScript's heap, in MiB; on Linux the whole process has 1,024 more. */
  readonly memoryMb: number
  /** The most that it may print, both streams together, in bytes. */
  readonly maxOutputBytes: number
  readonly wall: Wall | undefined
}

/** The end of a process. */
export type ProcessEnd = {
  /** The exit status; null if a signal ended it. */
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a script in a child process: no shell, no input, and within limits of memory and output. The group of
 * processes that it starts ends with it, with the signal and with this process.
 * @throws ToolError TOOL_ERROR if it can't be started, prints too much, or is aborted
 */
export async function runBounded(
  { folder, script, interpreter, env, memoryMb, maxOutputBytes, wall }: BoundedProcess,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const [program, ...words] = boundedCommand({ folder, script, interpreter, memoryMb, wall })
  if (signal.aborted) throw new ToolError('TOOL_ERROR', ABORTED)
  const child = spawn(program, words, {
    cwd: folder,
    env,
    shell: false,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    // The leader of a group of its own, so that the group can be ended.
    detached: HAS_GROUPS,
  })
  return outputOf(child, signal, maxOutputBytes)
}

const ABORTED = 'the script was aborted'

/**
 * The wall for a process.
 * @throws ToolError TOOL_ERROR where one is required and the machine has none
 */
export async function wallForProcess(mode: WallMode | undefined): Promise<Wall | undefined> {
  try {
    return await wallFor(mode)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('TOOL_ERROR', why, { fault: 'setup' })
  }
}

async function outputOf(
  child: ChildProcess,
  signal: AbortSignal,
  mostBytes: number,
): Promise<ProcessEnd> {
  const texts = { stdout: '', stderr: '' }
  let bytes = 0
  let failure: Error | undefined
  const end = (why: string): void => {
    failure ??= new ToolError('TOOL_ERROR', why)
    endGroup(child)
  }
  for (const name of ['stdout', 'stderr'] as const) {
    const decoder = new TextDecoder()
    child[name]?.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength
      if (bytes > mostBytes) end(`it printed more than ${mostBytes} bytes`)
      else texts[name] += decoder.decode(chunk, { stream: true })
    })
  }
  const abort = (): void => end(ABORTED)
  signal.addEventListener('abort', abort, { once: true })
  remember(child)
  try {
    const exit = await closing(child)
    if (failure === undefined) return { exit, ...texts }
    throw failure
  } finally {
    signal.removeEventListener('abort', abort)
    forget(child)
  }
}

/** A process that left the script's group can hold its output open. The wait for it ends after this time. */
const LAST_MS = 500

function closing(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let last: NodeJS.Timeout | undefined
    child.once('error', (error) => {
      reject(new ToolError('TOOL_ERROR', `the script could not be run (${error.message})`))
    })
    child.once('exit', () => {
      // Ends the processes that it started.
      endGroup(child)
      last = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, LAST_MS)
    })
    child.once('close', (code) => {
      clearTimeout(last)
      resolve(code)
    })
  })
}

/** Groups of their own outlive this process, unless it ends them on its way out. */
const living = new Set<ChildProcess>()
const endAll = (): void => living.forEach(endGroup)

function remember(child: ChildProcess): void {
  if (living.size === 0) process.on('exit', endAll)
  living.add(child)
}

function forget(child: ChildProcess): void {
  living.delete(child)
  if (living.size === 0) process.off('exit', endAll)
}
