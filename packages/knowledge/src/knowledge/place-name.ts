import { isAbsolute, relative, resolve, sep } from 'node:path'

/**
 * The name of a file in a store: its path relative to the root, with slashes, or else its absolute
 * path.
 */
export function placeName(root: string, path: string): string {
  const absolute = resolve(path)
  const inside = relative(root, absolute)
  const isBelow = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  return (isBelow ? inside : absolute).split(sep).join('/')
}

/**
 * Whether a name is that of a folder or of something in it; the root's name is empty. A URL, from a
 * program that wrote to the store directly, is in no folder.
 */
export const isWithin = (name: string, folder: string): boolean =>
  folder === ''
    ? !/^(?:[a-z][a-z0-9+.-]*:)?\//i.test(name)
    : name === folder || name.startsWith(`${folder}/`)
