export { CATALOGUE } from '../providers/catalogue.ts'
export { normalizerOf } from '../providers/errors/by-key.ts'
export { pricesAtOnce, unknownPrice } from '../providers/prices.ts'
