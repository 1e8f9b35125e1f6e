import { EchelonError } from 'echelon/internal/value'
import type { MemoryStore } from 'echelon/runtime'

/** A memory whose intent no run can write: only the user changes it, outside of runs, on the store itself. */
export const lockedIntent = (memory: MemoryStore): MemoryStore => ({
  read: (name, query) => memory.read(name, query),
  write: (name, value, options) =>
    name === 'intent' ? Promise.reject(refused()) : memory.write(name, value, options),
})

const refused = (): EchelonError =>
  new EchelonError(
    'NOT_PERMITTED',
    'runs cannot write the intent; change it with echelon intent edit',
  )
