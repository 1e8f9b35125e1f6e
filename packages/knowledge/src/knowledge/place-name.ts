import { isAbsolute, relative, resolve, sep } from 'node:path'

/** What a file is called in a store: its path below the root with slashes, or else its whole path. */
export function placeName(root: string, path: string): string {
  const whole = resolve(path)
  const inside = relative(root, whole)
  const isBelow = inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  return (isBelow ? inside : whole).split(sep).join('/')
}

/**
 * Whether a name is that of a folder's, or of what is in it; the root's name is empty. An address, of
 * what somebody put into the store himself, is in no folder.
 */
export const isWithin = (name: string, folder: string): boolean =>
  folder === ''
    ? !/^(?:[a-z][a-z0-9+.-]*:)?\//i.test(name)
    : name === folder || name.startsWith(`${folder}/`)
