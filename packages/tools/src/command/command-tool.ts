import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import {
  checkLimit,
  runBounded,
  wallForProcess,
  type Command,
  type Wall,
  type WallMode,
} from 'echelon/internal/platform'
import { defineTool, ToolError } from 'echelon/internal/tool'
import { EchelonError } from 'echelon/internal/value'
import type { Tool } from 'echelon/chat'

export interface CommandToolOptions {
  /** Name of the tool; default `run_command`. */
  readonly name?: string
  /**
   * The program and its arguments, by which nothing of the input is read: no shell. `{file}` stands for the file
   * that holds the input; without it the file is the last argument. A program without a path is looked for in
   * `env.PATH`. Paths in it should be absolute, since it starts in a temporary folder.
   */
  readonly command: Command
  /** Name of the file; default `answer.txt`. */
  readonly file?: string
  /** The whole environment; default the system's own folders as `PATH`. Nothing of this process's is passed on. */
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Of JavaScript's heap, in MiB; default 512. On Linux the whole process has 1,024 more. */
  readonly memoryMb?: number
  /** The most that it may print, both streams together, in bytes; default 65,536. */
  readonly maxOutputBytes?: number
  /**
   * A wall of the operating system around it: no network, and no file written. Default `required`, since it may run
   * what a model wrote: a machine whose wall leaves files open runs nothing. `auto` takes the wall that is there; `off`
   * is for commands that just read the file.
   */
  readonly wall?: WallMode
}

/**
 * A tool that writes its input `{ text }` into a file and runs a command on it, such as the unit tests of generated
 * code or a dry run of SQL. It gives `{ exit, stdout, stderr }`. The command runs in a child process with limits of
 * time, memory and output, without the environment of this process, and behind a wall of the operating system.
 * @throws EchelonError INVALID_CONFIG for a limit other than a whole number above 0, and for a file name with a folder
 */
export function commandTool({
  name = 'run_command',
  command,
  file = 'answer.txt',
  env = { PATH: '/usr/local/bin:/usr/bin:/bin' },
  timeoutMs = 10_000,
  memoryMb = 512,
  maxOutputBytes = 65_536,
  wall = 'required',
}: CommandToolOptions): Tool {
  checkLimit('timeoutMs', timeoutMs)
  checkLimit('memoryMb', memoryMb)
  checkLimit('maxOutputBytes', maxOutputBytes)
  if (!/^[\w-][\w.-]{0,99}$/.test(file)) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `file is ${JSON.stringify(file)}; give a name such as answer.py, without a folder`,
    )
  }
  const [program, ...args] = command
  return defineTool({
    name,
    description: `Runs ${program} on a text and gives its exit status and output.`,
    input: INPUT,
    timeoutMs,
    run: async ({ text }, { signal }) => {
      const own = await wallForProcess(wall)
      if (wall === 'required') requireBlockedWrites(own)
      const interpreter: Command = [found(program, env['PATH'])]
      return withFile(file, typeof text === 'string' ? text : '', (path, folder) => {
        const script = withPath(args, path)
        return runBounded(
          { folder, script, interpreter, env, memoryMb, maxOutputBytes, wall: own },
          signal,
        )
      })
    },
  })
}

/** @throws ToolError TOOL_ERROR for a wall that leaves files open */
function requireBlockedWrites(wall: Wall | undefined): void {
  if (wall?.blocksWrites !== false) return
  throw new ToolError(
    'TOOL_ERROR',
    `a wall that blocks writing files is required, and ${wall.name} leaves them open; install bubblewrap, or set the wall to auto`,
    { fault: 'setup' },
  )
}

const INPUT = {
  type: 'object',
  properties: { text: { type: 'string', description: 'What the command is run on' } },
  required: ['text'],
  additionalProperties: false,
}

function withPath(args: readonly string[], path: string): Command {
  const [first, ...rest] = args.map((word) => word.replaceAll('{file}', () => path))
  if (first === undefined) return [path]
  return args.some((word) => word.includes('{file}')) ? [first, ...rest] : [first, ...rest, path]
}

/** @throws ToolError TOOL_ERROR for a missing program */
function found(program: string, path = ''): string {
  const places = isAbsolute(program)
    ? [program]
    : path.split(delimiter).map((at) => join(at, program))
  const place = places.find((one) => existsSync(one))
  if (place !== undefined) return place
  throw new ToolError('TOOL_ERROR', `the program ${program} is not there`, { fault: 'setup' })
}

/** Runs with a text in a file of a folder of its own, which is removed afterwards. */
async function withFile<Result>(
  name: string,
  text: string,
  run: (path: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'echelon-command-')))
  try {
    const path = join(folder, name)
    await writeFile(path, text, { mode: 0o600 })
    return await run(path, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
