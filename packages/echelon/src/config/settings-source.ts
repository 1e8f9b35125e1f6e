import type { GivenValue } from '../core/setting/setting-tree.ts'

/** The origin of a value. */
export type Origin =
  /** `because`: why it differs from the documented default. */
  | { readonly from: 'default'; readonly because: string | null }
  | { readonly from: 'file'; readonly file: string; readonly line: number }
  /** `file`: the environment file with the variable; null is the real environment. */
  | { readonly from: 'variable'; readonly name: string; readonly file: string | null }
  | { readonly from: 'call' }

export interface Sourced extends GivenValue {
  readonly origin: Origin
}

/** The settings of one source. Later sources are stronger. */
export interface SettingsSource {
  readonly values: readonly Sourced[]
  /** Sentences that name the place. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** A short description of an origin. */
export function describeOrigin(origin: Origin): string {
  switch (origin.from) {
    case 'default':
      return origin.because === null ? 'default' : `default: ${origin.because}`
    case 'file':
      return `${origin.file}:${origin.line}`
    case 'variable':
      return origin.file === null ? origin.name : `${origin.name} in ${origin.file}`
    case 'call':
      return 'call'
  }
}
