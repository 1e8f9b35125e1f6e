import type { Middleware } from '../core/extension/defined-middleware.ts'
import { all } from '../verify/all-any.ts'
import { abSplit } from './experiment/ab-split.ts'
import { cascade } from './cascade/cascade.ts'
import { circuitBreaker } from './reliability/circuit-breaker.ts'
import { costTracking } from './cost-tracking.ts'
import { errorTracking } from './reliability/error-tracking.ts'
import { permissions } from './permissions.ts'
import { providerBreaker } from './reliability/provider-breaker.ts'
import { shadow } from './experiment/shadow.ts'
import { providerChoice } from './reliability/provider-choice.ts'
import { providerHealth } from './reliability/provider-health.ts'
import { untrustedText } from './text/untrusted-text.ts'

/**
 * The built-in middleware that keeps a state, each with default options: the possible owners of a
 * stored state. List new ones here and add their shape to `state-shapes.json`.
 */
export const builtInMiddleware = (): readonly Middleware[] => [
  // Its key begins with the name of an experiment.
  abSplit({ experiment: 'experiment', variants: [{ name: 'a' }, { name: 'b' }] }),
  cascade(['a', 'b'], { verify: all([]), accept: 1 }),
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
