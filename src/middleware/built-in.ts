import type { Layer } from '../core/middleware.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { errorTracking } from './error-tracking.ts'
import { permissions } from './permissions.ts'
import { providerBreaker } from './provider-breaker.ts'
import { shadow } from './shadow.ts'

/**
 * The middleware that comes with Echelon and keeps a state, each as it is by default: what a stored
 * state may belong to. Whoever adds one adds it here, and its shape to `state-shapes.json`.
 */
export const builtInLayers = (): readonly Layer[] => [
  circuitBreaker(),
  errorTracking(),
  permissions(),
  providerBreaker(),
  shadow(permissions()),
]
