import { fileURLToPath } from 'node:url'
import { workerModule } from '../worker-module.ts'

/** The permissions that Node leaves to a child process. */
export interface NodeAllows {
  /** Files and folders that it can read, absolute. */
  readonly reads: readonly string[]
  /** Limit of the JavaScript heap in MiB. Default: Node's own. */
  readonly memoryMb?: number
  readonly addons?: boolean
  readonly threads?: boolean
}

/** The files that a process behind a wall needs to run this Node. */
export const readByClosedNode = (reads: readonly string[]): readonly string[] => [...reads, ...OWN]

/**
 * Each process preloads this module, so each must be able to read it and the package.json with its
 * module type.
 */
const CLOSING = workerModule(import.meta.url, './closed-builtins.ts')
const OWN = [CLOSING, new URL('../../../package.json', CLOSING)].map((url) => fileURLToPath(url))

/** A Node with the module built in may reject the flag; the preloaded module closes it as well. */
const SQLITE = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? ['--no-experimental-sqlite']
  : []

/**
 * The flags of a Node that runs untrusted code. The permission model blocks files, processes,
 * addons, threads, the inspector and WASI. It does not cover `node:sqlite`, and V8 flags set at run
 * time can write files. The preloaded module blocks what has no flag.
 */
export function closedNode({
  reads,
  memoryMb,
  addons = false,
  threads = false,
}: NodeAllows): readonly string[] {
  return [
    ...(memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`]),
    '--permission',
    ...readByClosedNode(reads).map((path) => `--allow-fs-read=${path}`),
    ...(addons ? ['--allow-addons'] : []),
    ...(threads ? ['--allow-worker'] : []),
    ...SQLITE,
    '--freeze-flags-after-init',
    '--disable-sigusr1',
    `--import=${CLOSING.href}`,
  ]
}
