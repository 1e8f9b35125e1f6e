import { type ChildProcess, spawn } from 'node:child_process'
import { extname } from 'node:path'
import type { Json } from '../core/json.ts'
import { ToolError } from '../core/tool.ts'
import { checkLimit } from './check-limit.ts'
import type { SkillScript, SkillScripts } from './scripts.ts'

export interface ChildProcessOptions {
  /**
   * What runs a script, by its extension: a program and its first arguments, such as
   * `{ '.py': ['/usr/bin/python3', '-I'] }`. JavaScript (`.js`, `.mjs`, `.cjs`) is run by this Node
   * under its permission model, which lets it read the skill's folder and nothing else of the disk,
   * and start no process; what is given here has no such bounds of its own. Default: no others.
   */
  readonly interpreters?: Readonly<Record<string, readonly [string, ...string[]]>>
  /** The whole environment of a script; default empty. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** The most that it may print, both streams together, in bytes; default 65,536. */
  readonly maxOutputBytes?: number
}

/**
 * Runs scripts of skills in child processes: no shell, an empty environment, no input, in the
 * skill's folder, with limits of time and output. The group of processes that they started ends with
 * them and with this process; one that left the group is not waited for. Neither memory nor network
 * is bounded, nor signals to other processes of the same user.
 * @throws EchelonError INVALID_CONFIG for a limit that is no whole number above 0
 */
export function childProcessScripts(options: ChildProcessOptions = {}): SkillScripts {
  const { interpreters = {}, env = {}, timeoutMs, maxOutputBytes = 65_536 } = options
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('maxOutputBytes', maxOutputBytes)
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    async run(script, signal) {
      const [program, ...first] = commandOf(script, interpreters)
      signal.throwIfAborted()
      const child = spawn(program, [...first, script.file, ...script.args], {
        cwd: script.folder,
        env,
        shell: false,
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        // The leader of a group of its own, so that the group can be ended.
        detached: process.platform !== 'win32',
      })
      return outputOf(child, signal, maxOutputBytes)
    },
  }
}

const JAVASCRIPT: readonly string[] = ['.js', '.mjs', '.cjs']

function commandOf(
  { file, folder }: SkillScript,
  interpreters: NonNullable<ChildProcessOptions['interpreters']>,
): readonly [string, ...string[]] {
  const extension = extname(file)
  const given = Object.hasOwn(interpreters, extension) ? interpreters[extension] : undefined
  if (given !== undefined) return given
  if (JAVASCRIPT.includes(extension)) {
    return [process.execPath, '--permission', `--allow-fs-read=${folder}`]
  }
  const known = [...JAVASCRIPT, ...Object.keys(interpreters)].join(', ')
  throw new ToolError(
    'TOOL_ERROR',
    `nothing runs scripts of the kind ${extension || 'without an extension'} here; there are ${known}`,
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
  const giveUp = (): void => end('the script was given up')
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

function endGroup(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
}
