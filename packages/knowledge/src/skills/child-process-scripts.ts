import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { ToolError } from 'echelon/internal/tool'
import {
  checkLimit,
  runBounded,
  wallForProcess,
  type Command,
  type WallMode,
} from 'echelon/internal/platform'
import { linkOut } from './links-within.ts'
import type { SkillScripts } from './scripts.ts'

export interface ChildProcessOptions {
  /**
   * Programs that run scripts, by extension, each with its first arguments, such as `{ '.py':
   * ['/usr/bin/python3', '-I'] }`. JavaScript (`.js`, `.mjs`, `.cjs`) runs in this Node under its
   * permission model and further restrictions by Echelon: it reads only the skill's folder, writes
   * nothing, starts no process and has no network. Programs interpreter here are confined by the wall alone
   * and may read what this user may read. Default: none.
   */
  readonly interpreters?: Readonly<Record<string, Command>>
  /** The complete environment of a script; default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** Limit on stdout and stderr together, in bytes; default 65,536. */
  readonly maxOutputBytes?: number
  /**
   * JavaScript heap limit in MiB; default 512. On Linux the whole script, buffers included, gets 1,024
   * MiB more.
   */
  readonly memoryMb?: number
  /**
   * Operating system sandbox around each script: bubblewrap or namespaces on Linux, the sandbox of
   * macOS. `auto` uses one if the machine has it; `required` refuses to run without one. Default: the
   * setting of `setWall` for this process, or `auto`.
   */
  readonly wall?: WallMode
}

/**
 * Runs scripts of skills in child processes: no shell, an empty environment, no input, in the skill's
 * folder, with limits on time, memory and output, and in a sandbox if the machine has one. The script's
 * process group ends with the script and with this process. Without a sandbox, a process that left the
 * group is not waited for.
 * @throws EchelonError INVALID_CONFIG for a limit that is not a whole number above 0
 */
export function childProcessScripts(options: ChildProcessOptions = {}): SkillScripts {
  const { env = {}, timeoutMs, maxOutputBytes = 65_536, memoryMb = 512 } = options
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('maxOutputBytes', maxOutputBytes)
  checkLimit('memoryMb', memoryMb)
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    async run({ file, folder, args }, signal) {
      const interpreter = interpreterFor(file, options.interpreters ?? {})
      signal.throwIfAborted()
      const wall = await wallForProcess(options.wall)
      if (interpreter === undefined) await refuseLinksOut(folder)
      return runBounded(
        { folder, script: [file, ...args], interpreter, env, memoryMb, maxOutputBytes, wall },
        signal,
      )
    },
  }
}

const JAVASCRIPT: readonly string[] = ['.js', '.mjs', '.cjs']

/** @returns undefined for JavaScript to be run by this Node */
function interpreterFor(
  file: string,
  interpreters: NonNullable<ChildProcessOptions['interpreters']>,
): Command | undefined {
  const extension = extname(file)
  const interpreter = Object.hasOwn(interpreters, extension) ? interpreters[extension] : undefined
  // Checked here because the error of the sandbox or the shell would be less clear.
  if (interpreter?.[0].includes('/') && !existsSync(interpreter[0])) {
    throw new ToolError(
      'TOOL_ERROR',
      `the script could not be run (${interpreter[0]} is not there)`,
    )
  }
  if (interpreter !== undefined || JAVASCRIPT.includes(extension)) return interpreter
  const known = [...JAVASCRIPT, ...Object.keys(interpreters)].join(', ')
  throw new ToolError(
    'TOOL_ERROR',
    `no interpreter is set for scripts ${extension === '' ? 'without an extension' : `of kind ${extension}`}; known kinds are ${known}`,
  )
}

async function refuseLinksOut(folder: string): Promise<void> {
  const link = await linkOut(folder).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('TOOL_ERROR', `the script is not run: its skill ${why}`)
  })
  if (link === undefined) return
  throw new ToolError(
    'TOOL_ERROR',
    `the script is not run: the link ${link} points outside its skill`,
  )
}
