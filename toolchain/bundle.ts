import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OutputAsset, OutputChunk, Plugin } from 'rolldown'

const ROOT = join(import.meta.dirname, '..')

/** Programs that share their modules. */
interface Programs {
  /** The folder below `node_modules/.cache`. */
  readonly name: string
  /** The file of each program, relative to the repository. */
  readonly input: Readonly<Record<string, string>>
}

interface Bundle {
  /** The file that runs each program. */
  readonly programs: Readonly<Record<string, string>>
  /** The stamp of each file that the bundle depends on. */
  readonly files: Readonly<Record<string, string>>
}

/** The URL of this clone's command as a bundle: it loads some 50 modules for `decide`, the source 490. */
export const commandBundle = async (): Promise<string | undefined> =>
  (await bundled({ name: 'command', input: { main: 'cli/src/main.js' } }))?.['main']

/**
 * Bundles programs of this clone, again if a source file changed.
 * @returns the URL of each; undefined if they cannot be bundled: run the source then
 */
export async function bundled(
  programs: Programs,
): Promise<Readonly<Record<string, string>> | undefined> {
  const folder = join(ROOT, 'node_modules/.cache', programs.name)
  try {
    const bundle = latest(programs, folder) ?? (await make(programs, folder))
    const urls = Object.entries(bundle.programs).map(
      ([name, file]) => [name, pathToFileURL(join(folder, file)).href] as const,
    )
    return Object.fromEntries(urls)
  } catch {
    // The bundler is missing, the folder is read-only, or the source has an error, which Node reports when it runs.
    return undefined
  }
}

const LATEST = 'latest.json'

function latest({ input }: Programs, folder: string): Bundle | undefined {
  try {
    const bundle: Bundle = JSON.parse(readFileSync(join(folder, LATEST), 'utf8'))
    const isFresh = Object.entries(bundle.files).every(([file, stamp]) => stampOf(file) === stamp)
    const isWhole = Object.keys(input).every((name) =>
      existsSync(join(folder, bundle.programs[name] ?? 'none')),
    )
    return isFresh && isWhole ? bundle : undefined
  } catch {
    return undefined
  }
}

/** A string that differs after an edit. */
function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(join(ROOT, file))
  return `${mtimeMs} ${size}`
}

/** Files other than modules that the bundle depends on. */
const MANIFESTS = ['package-lock.json', '{cli,packages/*}/package.json', 'toolchain/bundle.ts']

async function make({ input }: Programs, folder: string): Promise<Bundle> {
  const { build } = await import('rolldown')
  const files: Record<string, string> = {}
  for (const file of globSync(MANIFESTS, { cwd: ROOT })) files[file] = stampOf(file)
  const { output } = await build({
    input: Object.fromEntries(
      Object.entries(input).map(([name, file]) => [name, join(ROOT, file)]),
    ),
    platform: 'node',
    logLevel: 'silent',
    resolve: { conditionNames: ['echelon-source', 'node', 'import'] },
    plugins: [stamped(files), packages, inPlace],
    output: {
      entryFileNames: '[name]-[hash].js',
      chunkFileNames: '[name]-[hash].js',
      // Modules that many chunks share go into one file, or each command would load some fifty small ones.
      codeSplitting: { groups: [{ name: 'shared', minShareCount: 16 }] },
    },
    write: false,
  })
  mkdirSync(folder, { recursive: true })
  for (const part of output) keep(join(folder, part.fileName), part)
  const entries = output.flatMap((part) =>
    part.type === 'chunk' && part.isEntry ? [[part.name, part.fileName] as const] : [],
  )
  const bundle = { programs: Object.fromEntries(entries), files }
  write(join(folder, LATEST), JSON.stringify(bundle))
  removeOld(folder, output)
  return bundle
}

/** Stamps each module before it is read, so that an edit during the build is noticed. The lock file stands for packages. */
const stamped = (files: Record<string, string>): Plugin => ({
  name: 'stamped',
  load(id) {
    if (id.includes('/node_modules/')) return
    const file = relative(ROOT, id)
    files[file] = stampOf(file)
  },
})

/**
 * Leaves third-party packages outside the bundle, in the version that the importing file resolves. Kysely is bundled:
 * its 255 modules take a tenth of a second to load, and each new store needs it.
 */
const packages: Plugin = {
  name: 'packages',
  resolveId: {
    filter: { id: /^(?!@?echelon(?:\/|$)|kysely$)[^./]/ },
    async handler(id, from) {
      if (from === undefined || isAbsolute(id)) return null
      const found = await this.resolve(id, from, { skipSelf: true })
      const isFile = found !== null && isAbsolute(found.id)
      return { id: isFile ? pathToFileURL(found.id).href : id, external: true }
    },
  },
}

/** Keeps each module's own URL that of its source: workers and data files are found from there. */
const inPlace: Plugin = {
  name: 'in-place',
  transform: (code, id) =>
    code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
}

/** Writes a part unless it exists: its name is a hash of its content. */
function keep(file: string, part: OutputChunk | OutputAsset): void {
  if (!existsSync(file)) write(file, part.type === 'chunk' ? part.code : part.source)
}

/** Writes a file in one step, since another process may read the folder at the same time. */
function write(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}

const DAY_MS = 86_400_000

/** Removes the chunks of earlier bundles, except recent ones: a running program may still load them. */
function removeOld(folder: string, output: readonly { readonly fileName: string }[]): void {
  const current = new Set([...output.map(({ fileName }) => fileName), LATEST])
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    if (!current.has(name) && Date.now() - statSync(file).mtimeMs > DAY_MS)
      rmSync(file, { force: true })
  }
}
