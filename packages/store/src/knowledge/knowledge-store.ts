import type { StaticMemoryStore } from 'echelon/internal/knowledge'
import { EchelonError } from 'echelon/internal/value'

/** A knowledge store. The caller who opened it closes it. */
export interface KnowledgeStore extends StaticMemoryStore {
  /**
   * The file, or the address of the database without its password. In memory: the name by which this
   * process can open the same store again.
   */
  readonly path: string
  close(): Promise<void>
}

export const foreignVectors = (path: string, there: string, given: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `${path} holds vectors of ${there}, which cannot be compared with those of ${given}; remove its documents and add them again, or name another place`,
    { details: { there, given } },
  )
