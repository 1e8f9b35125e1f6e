import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The files that a worker can read: the code of this package, the code of the module's package, and
 * the packages that they could import. The rest of the disk is blocked: stores, keys, other users'
 * files.
 * @param guest the worker program, a module of this package
 */
export function readable(module: URL, guest: URL): readonly string[] {
  const own = fileURLToPath(guest)
  const packages = [...foldersAbove(own)]
    .map((above) => join(above, 'node_modules'))
    .filter(existsSync)
  const linked = packages.map((folder) => realpathSync(folder))
  const code = [...codeOf(own), ...codeOf(fileURLToPath(module))]
  return [...new Set([...code, ...packages, ...linked, ...sharedStore(own)])]
}

/** The manifest of a file's package and its code folder, `src` or `dist`. */
function codeOf(file: string): readonly string[] {
  for (const root of foldersAbove(file)) {
    const manifest = join(root, 'package.json')
    if (!existsSync(manifest)) continue
    const [folder = ''] = relative(root, dirname(file)).split(sep)
    return [manifest, join(root, folder)]
  }
  return [dirname(file)]
}

function* foldersAbove(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}

/** pnpm may keep the packages of all projects in one folder, each linked to the others in it. */
function sharedStore(folder: string): readonly string[] {
  const [store] = /^.*[/\\]store[/\\]v\d+[/\\]links(?=[/\\])/.exec(folder) ?? []
  return store === undefined ? [] : [store]
}
