import type { Layer } from '../core/middleware.ts'
import { abSplit } from './ab-split.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { costTracking } from './cost-tracking.ts'
import { errorTracking } from './error-tracking.ts'
import { permissions } from './permissions.ts'
import { providerBreaker } from './provider-breaker.ts'
import { shadow } from './shadow.ts'
import { providerChoice } from './provider-choice.ts'
import { providerHealth } from './provider-health.ts'
import { untrustedText } from './untrusted-text.ts'

/**
 * The middleware that comes with Echelon and keeps a state, each as it is by default: what a stored
 * state may belong to. Whoever adds one adds it here, and its shape to `state-shapes.json`.
 */
export const builtInLayers = (): readonly Layer[] => [
  // Its key begins with the name of an experiment.
  abSplit({ experiment: 'experiment', variants: [{ name: 'a' }, { name: 'b' }] }),
  circuitBreaker(),
  costTracking(),
  errorTracking(),
  permissions(),
  providerBreaker(),
  shadow(permissions()),
  providerChoice({ models: ['a', 'b'] }),
  providerHealth(),
  untrustedText(),
]
