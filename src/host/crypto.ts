let loaded: typeof import('node:crypto') | undefined

/** Node's cryptography, loaded at its first use: that takes longer than all the rest of a door. */
export const nodeCrypto = (): typeof import('node:crypto') =>
  (loaded ??= process.getBuiltinModule('node:crypto'))
