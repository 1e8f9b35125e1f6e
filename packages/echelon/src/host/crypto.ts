import type crypto from 'node:crypto'

let loaded: typeof crypto | undefined

/** Node's cryptography, loaded at its first use: that takes longer than all the rest of a door. */
export const nodeCrypto = (): typeof crypto => (loaded ??= process.getBuiltinModule('node:crypto'))
