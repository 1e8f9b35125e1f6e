export { normalizerOf } from '../providers/errors/by-key.ts'
export { pricesAtOnce, unknownPrice } from '../providers/prices.ts'
