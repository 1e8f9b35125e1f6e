import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import type { Json } from 'echelon/runtime'
import { ToolError } from 'echelon/internal/tool'
import { endGroup, HAS_GROUPS } from 'echelon/internal/host'
import type { Command, Wall, WallMode } from 'echelon/internal/host'
import { wallFor } from 'echelon/internal/host'
import { boundedCommand } from './bounded-command.ts'
import { checkLimit } from './check-limit.ts'
import { linkOut } from './links-within.ts'
import type { SkillScripts } from './scripts.ts'

export interface ChildProcessOptions {
  /**
   * What runs a script, by its extension: a program and its first arguments, such as
   * `{ '.py': ['/usr/bin/python3', '-I'] }`. JavaScript (`.js`, `.mjs`, `.cjs`) is run by this Node
   * closed by its permission model and what Echelon closes beyond it: it reads the skill's folder and
   * nothing else of the disk, writes nothing, starts no process and has no network. What is given here
   * is bounded by the wall alone, behind which it reads what this user may. Default: no others.
   */
  readonly interpreters?: Readonly<Record<string, Command>>
  /** The whole environment of a script; default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** The most that it may print, both streams together, in bytes; default 65,536. */
  readonly maxOutputBytes?: number
  /**
   * Of JavaScript's heap, in MiB; default 512. On Linux a script with all that it holds, buffers included,
   * has 1,024 more.
   */
  readonly memoryMb?: number
  /**
   * A wall of the operating system around each script: bubblewrap or namespaces on Linux, the sandbox of
   * macOS. `auto` has one where the machine has it, `required` runs nothing without. Default: what
   * `setWall` says of this process, or `auto`.
   */
  readonly wall?: WallMode
}

/**
 * Runs scripts of skills in child processes: no shell, an empty environment, no input, in the
 * skill's folder, with limits of time, memory and output, and behind a wall where the machine has one. The
 * group of processes that they started ends with them and with this process. Without a wall, one that left the group
 * is not waited for.
 * @throws EchelonError INVALID_CONFIG for a limit that is no whole number above 0
 */
export function childProcessScripts(options: ChildProcessOptions = {}): SkillScripts {
  const { env = {}, timeoutMs, maxOutputBytes = 65_536, memoryMb = 512 } = options
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('maxOutputBytes', maxOutputBytes)
  checkLimit('memoryMb', memoryMb)
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    async run({ file, folder, args }, signal) {
      const interpreter = interpreterOf(file, options.interpreters ?? {})
      signal.throwIfAborted()
      const wall = await wallForScripts(options.wall)
      if (interpreter === undefined) await refuseLinksOut(folder)
      const script = [file, ...args] as const
      const [program, ...words] = boundedCommand({ folder, script, interpreter, memoryMb, wall })
      if (signal.aborted) throw new ToolError('TOOL_ERROR', GIVEN_UP)
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
    },
  }
}

const GIVEN_UP = 'the script was given up'

const JAVASCRIPT: readonly string[] = ['.js', '.mjs', '.cjs']

/** @returns nothing for JavaScript that this Node is to run */
function interpreterOf(
  file: string,
  interpreters: NonNullable<ChildProcessOptions['interpreters']>,
): Command | undefined {
  const extension = extname(file)
  const given = Object.hasOwn(interpreters, extension) ? interpreters[extension] : undefined
  // The wall and the shell start it, and would say it less plainly.
  if (given?.[0].includes('/') && !existsSync(given[0])) {
    throw new ToolError('TOOL_ERROR', `the script could not be run (${given[0]} is not there)`)
  }
  if (given !== undefined || JAVASCRIPT.includes(extension)) return given
  const known = [...JAVASCRIPT, ...Object.keys(interpreters)].join(', ')
  throw new ToolError(
    'TOOL_ERROR',
    `nothing runs scripts of the kind ${extension || 'without an extension'} here; there are ${known}`,
  )
}

async function wallForScripts(mode: WallMode | undefined): Promise<Wall | undefined> {
  try {
    return await wallFor(mode)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('TOOL_ERROR', why, { fault: 'setup' })
  }
}

async function refuseLinksOut(folder: string): Promise<void> {
  const link = await linkOut(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('TOOL_ERROR', `the script is not run: its skill ${why}`)
  })
  if (link === undefined) return
  throw new ToolError(
    'TOOL_ERROR',
    `the script is not run: the link ${link} leads out of its skill`,
  )
}

async function outputOf(
  child: ChildProcess,
  signal: AbortSignal,
  mostBytes: number,
): Promise<Json> {
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
  const giveUp = (): void => end(GIVEN_UP)
  signal.addEventListener('abort', giveUp, { once: true })
  remember(child)
  try {
    const exit = await closing(child)
    if (failure === undefined) return { exit, ...texts }
    throw failure
  } finally {
    signal.removeEventListener('abort', giveUp)
    forget(child)
  }
}

/** What left the group of a script can hold its output open. That is not waited for. */
const LAST_MS = 500

function closing(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    let last: NodeJS.Timeout | undefined
    child.once('error', (error) => {
      reject(new ToolError('TOOL_ERROR', `the script could not be run (${error.message})`))
    })
    child.once('exit', () => {
      // What it started ends with it.
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
