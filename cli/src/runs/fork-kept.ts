import { EchelonError } from 'echelon'
import type { ExitStatus } from '../exit-status.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import type { GoOnOptions, OwnRun } from './go-on.ts'

export interface KeptForkOptions extends GoOnOptions {
  readonly at: number
  readonly act?: readonly string[]
  readonly small?: string
  readonly big?: string
  readonly model?: string
}

/** TODO until the runtime has it */
export async function forkKept(
  _own: OwnRun,
  _store: OpenedStore,
  _options: KeptForkOptions,
): Promise<ExitStatus> {
  throw new EchelonError('INVALID_INPUT', 'not yet')
}
