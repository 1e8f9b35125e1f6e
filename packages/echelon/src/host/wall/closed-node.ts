import { fileURLToPath } from 'node:url'
import { workerModule } from '../worker-module.ts'

/** What Node's permission model is to leave to a child process. */
export interface NodeAllows {
  /** Files and folders that it may read, absolute. */
  readonly reads: readonly string[]
  /** Of the JavaScript heap, in MiB; default Node's own. */
  readonly memoryMb?: number
  readonly addons?: boolean
  readonly threads?: boolean
}

/** What a process behind a wall of the operating system must see, so that this Node runs in it. */
export const readByClosedNode = (reads: readonly string[]): readonly string[] => [...reads, ...OWN]

/** Preloaded by each, and so read by each, with the file that says of which kind it is. */
const CLOSING = workerModule(import.meta.url, './closed-builtins.ts')
const OWN = [CLOSING, new URL('../../../package.json', CLOSING)].map((url) => fileURLToPath(url))

/** A Node that has made the module a part of itself may refuse the flag; the preloaded module closes it too. */
const SQLITE = process.allowedNodeEnvironmentFlags.has('--experimental-sqlite')
  ? ['--no-experimental-sqlite']
  : []

/**
 * The flags of a Node whose code is not trusted. The permission model closes files, processes, addons,
 * threads, the inspector and WASI. `node:sqlite` knows nothing of that model, and flags of V8 that are set
 * at run time write files. The preloaded module closes what has no flag.
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
