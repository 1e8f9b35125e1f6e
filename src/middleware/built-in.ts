import type { Layer } from '../core/middleware.ts'
import { caching } from './caching.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { errorTracking } from './error-tracking.ts'
import { fallback } from './fallback.ts'
import { providerBreaker } from './provider-breaker.ts'
import { retry } from './retry.ts'
import { timeout } from './timeout.ts'

/**
 * The middleware that comes with Echelon, each as it is by default: what a stored state may belong
 * to. Whoever adds one adds it here, and its shape to `state-shapes.json`.
 */
export const builtInLayers = (): readonly Layer[] => [
  caching(),
  circuitBreaker(),
  errorTracking(),
  fallback(['offline/small', 'offline/big']),
  providerBreaker(),
  retry(),
  timeout(),
]
