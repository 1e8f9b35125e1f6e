import type { Io } from '../io.ts'

/** The release that this process runs; `undefined` for a fleet whose processes are all of one. */
export function releaseIn(io: Io, { release }: { readonly release?: string }): string | undefined {
  const name = release ?? io.env['ECHELON_RELEASE']
  return name === '' ? undefined : name
}
