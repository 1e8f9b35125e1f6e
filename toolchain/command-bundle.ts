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
const FOLDER = join(ROOT, 'node_modules/.cache/command')
const LATEST = join(FOLDER, 'latest.json')

interface Bundle {
  /** The chunk that runs the command. */
  readonly main: string
  /** The stamp of each file that the bundle depends on. */
  readonly files: Readonly<Record<string, string>>
}

/**
 * Returns the URL of this clone's command as a bundle, and bundles it again if a source file changed. A bundle loads
 * some 50 modules for `decide`, the source 490.
 * @returns undefined if it cannot be bundled; run the source then
 */
export async function commandBundle(): Promise<string | undefined> {
  try {
    const { main } = latest() ?? (await make())
    return pathToFileURL(join(FOLDER, main)).href
  } catch {
    // The bundler is missing, the folder is read-only, or the source has an error, which Node reports when it runs.
    return undefined
  }
}

function latest(): Bundle | undefined {
  try {
    const bundle: Bundle = JSON.parse(readFileSync(LATEST, 'utf8'))
    const isFresh = Object.entries(bundle.files).every(([file, stamp]) => stampOf(file) === stamp)
    return isFresh && statSync(join(FOLDER, bundle.main)).isFile() ? bundle : undefined
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
const MANIFESTS = [
  'package-lock.json',
  '{cli,packages/*}/package.json',
  'toolchain/command-bundle.ts',
]

async function make(): Promise<Bundle> {
  const { build } = await import('rolldown')
  const files: Record<string, string> = {}
  for (const file of globSync(MANIFESTS, { cwd: ROOT })) files[file] = stampOf(file)
  const { output } = await build({
    input: { main: join(ROOT, 'cli/src/main.js') },
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
  mkdirSync(FOLDER, { recursive: true })
  for (const part of output) keep(part)
  const bundle = { main: output[0].fileName, files }
  write(LATEST, JSON.stringify(bundle))
  removeOld(output)
  return bundle
}

/** Stamps each module before it is read, so that an edit during the build is noticed. */
const stamped = (files: Record<string, string>): Plugin => ({
  name: 'stamped',
  load(id) {
    const file = relative(ROOT, id)
    files[file] = stampOf(file)
  },
})

/** Leaves third-party packages outside the bundle, in the version that the importing file resolves. */
const packages: Plugin = {
  name: 'packages',
  resolveId: {
    filter: { id: /^(?!@?echelon(?:\/|$))[^./]/ },
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
function keep(part: OutputChunk | OutputAsset): void {
  if (!existsSync(join(FOLDER, part.fileName)))
    write(join(FOLDER, part.fileName), part.type === 'chunk' ? part.code : part.source)
}

/** Writes a file in one step, since another command may read the folder at the same time. */
function write(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content)
  renameSync(draft, file)
}

const DAY_MS = 86_400_000

/** Removes the chunks of earlier bundles, except recent ones: a running command may still load them. */
function removeOld(output: readonly { readonly fileName: string }[]): void {
  const current = new Set([...output.map(({ fileName }) => fileName), 'latest.json'])
  for (const name of readdirSync(FOLDER)) {
    const file = join(FOLDER, name)
    if (!current.has(name) && Date.now() - statSync(file).mtimeMs > DAY_MS)
      rmSync(file, { force: true })
  }
}
