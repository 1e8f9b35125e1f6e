import type crypto from 'node:crypto'

let loaded: typeof crypto | undefined

/**
 * Node's crypto module, loaded on first use, since loading it takes longer than the rest of an
 * entry point.
 */
export const nodeCrypto = (): typeof crypto => (loaded ??= process.getBuiltinModule('node:crypto'))
