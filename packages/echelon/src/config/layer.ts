import type { GivenValue } from '../core/setting/setting-tree.ts'

/** Where a value comes from. */
export type Origin =
  /** `because`: why it is not the documented default. */
  | { readonly from: 'default'; readonly because: string | null }
  | { readonly from: 'file'; readonly file: string; readonly line: number }
  /** `file`: the environment file that holds the variable; null is the real environment. */
  | { readonly from: 'variable'; readonly name: string; readonly file: string | null }
  | { readonly from: 'call' }

export interface Sourced extends GivenValue {
  readonly origin: Origin
}

/** What one source says. Of several layers the last one is the strongest. */
export interface Layer {
  readonly values: readonly Sourced[]
  /** Sentences that name the place. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** An origin in a few words. */
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
